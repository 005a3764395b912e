#include "report_level.h"

#include <stdarg.h>
#include <string.h>

#include "run_bias.h"

const char *conform_rank_name(conform_rank rank)
{
    static const char *const names[] = {"no level", "Bronze", "Silver", "Gold"};
    return (size_t)rank < sizeof names / sizeof *names ? names[rank] : "?";
}

/* Notes the first thing that is lacking; returns 0, as the rank is not reached. */
static int lacks(conform_level *level, const char *format, ...) IFN_PRINTF(2, 3);
static int lacks(conform_level *level, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(level->lacks, sizeof level->lacks, format, list);
    va_end(list);
    return 0;
}

/* Faults of memory and machine state: what an op does beside its result. */
static int is_guard(conform_fault fault)
{
    switch (fault) {
    case FAULT_WROTE:
    case FAULT_OUTSIDE:
    case FAULT_GAP:
    case FAULT_SLACK:
    case FAULT_GUARD:
    case FAULT_INPUT:
    case FAULT_ABI:
        return 1;
    default:
        return 0;
    }
}

static conform_rank rank_for(conform_fault fault)
{
    return is_guard(fault)                        ? RANK_GOLD
           : conform_fault_invariance(fault) >= 0 ? RANK_SILVER
                                                  : RANK_BRONZE;
}

/* No case failed in a way that counts for this rank. */
static int has_no_fault(const conform_report *r, int s, conform_rank rank, conform_level *level)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        int64_t known = 0;
        for (int f = FAULT_NONE + 1; f < FAULT_COUNT; f++) {
            known += c->faults[f];
            if (c->faults[f] && rank_for((conform_fault)f) == rank)
                return lacks(level, "%lld cases of %s fail: %s", (long long)c->faults[f],
                             ifn_op_name((ifn_op)op), conform_fault_name((conform_fault)f));
        }
        if (rank == RANK_BRONZE && c->failed > known)
            return lacks(level, "%lld cases of %s fail", (long long)(c->failed - known),
                         ifn_op_name((ifn_op)op));
    }
    return 1;
}

static int is_covered(const conform_report *r, int s, conform_level *level)
{
    int missing = 0, first = -1;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        if (c->computed)
            continue;
        missing++;
        first = first < 0 ? op : first;
    }
    if (missing)
        return lacks(level, "%d of %d ops were not executed, %s among them", missing, IFN_OP_COUNT,
                     ifn_op_name((ifn_op)first));
    return 1;
}

static int is_unbiased(const conform_cell *c)
{
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++)
            if (conform_mean_is_biased(&c->kinds[d][p].bias) ||
                conform_mean_is_biased(&c->kinds[d][p].outward))
                return 0;
    return 1;
}

static int is_bronze(const conform_report *r, int s, conform_level *level)
{
    if (!is_covered(r, s, level) || !has_no_fault(r, s, RANK_BRONZE, level))
        return 0;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        const char *name = ifn_op_name((ifn_op)op);
        if (c->undeclared)
            return lacks(level, "%lld undeclared refusals of %s", (long long)c->undeclared, name);
        if (c->blunt && !c->sharp)
            return lacks(level, "%s has blunt cases alone", name);
        if (!is_unbiased(c))
            return lacks(level, "%s errs to one side", name);
    }
    return 1;
}

static int is_silver(const conform_report *r, int s, conform_level *level)
{
    for (int i = 0; i < CONFORM_INVARIANCES; i++) {
        int64_t tried = 0;
        for (int op = 0; op < IFN_OP_COUNT; op++)
            tried += conform_report_cell(r, (ifn_op)op, s)->relations[i].tried;
        if (!tried)
            return lacks(level, "R%d was never tried", i);
    }
    return has_no_fault(r, s, RANK_SILVER, level);
}

static int is_proved(const conform_evidence *e, const char *missing, const char *what,
                     conform_level *level)
{
    if (!e->executed)
        return lacks(level, "the report has no %s", missing);
    if (e->failed)
        return lacks(level, "%lld of %lld %s", (long long)e->failed, (long long)e->executed, what);
    return 1;
}

static int is_gold(const conform_report *r, int s, conform_level *level)
{
    if (!has_no_fault(r, s, RANK_GOLD, level))
        return 0;
    if (!r->registers_checked)
        return lacks(level, "registers were not looked at");
    return is_proved(&r->end_to_end[s], "whole models", "runs of whole models fail", level) &&
           is_proved(&r->museum, "museum", "faults of the museum survive", level);
}

/* How many ops are the backend's own, and whose most of the others are. */
static void find_base(const conform_report *r, int s, conform_level *level)
{
    int most = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        int same = 0;
        level->own += c->by[0] && !c->is_inherited;
        for (int other = 0; c->is_inherited && other < IFN_OP_COUNT; other++)
            same += strcmp(conform_report_cell(r, (ifn_op)other, s)->by, c->by) == 0;
        if (same <= most)
            continue;
        most = same;
        memcpy(level->base, c->by, sizeof level->base);
    }
}

conform_level conform_level_of(const conform_report *r, int s)
{
    conform_level level = {.rank = RANK_NONE};
    find_base(r, s, &level);
    if (!is_bronze(r, s, &level))
        return level;
    level.rank = RANK_BRONZE;
    if (!is_silver(r, s, &level))
        return level;
    level.rank = RANK_SILVER;
    if (is_gold(r, s, &level))
        level.rank = RANK_GOLD;
    return level;
}

static void put_level(const conform_report *r, int s, FILE *out)
{
    const conform_level level = conform_level_of(r, s);
    fprintf(out, "%s: %s", r->label[s], conform_rank_name(level.rank));
    if (level.base[0] && level.own == 0)
        fprintf(out, ", all of it inherited from %s", level.base);
    else if (level.base[0])
        fprintf(out, ", %d ops of its own, the others inherited from %s", level.own, level.base);
    if (level.lacks[0])
        fprintf(out, "; %s: %s", conform_rank_name((conform_rank)(level.rank + 1)), level.lacks);
    fputc('\n', out);
}

void conform_report_levels(const conform_report *r, FILE *out)
{
    for (int s = 0; s < r->n_subjects; s++)
        put_level(r, s, out);
}
