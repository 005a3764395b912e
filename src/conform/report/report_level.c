#include "report_level.h"

#include <stdarg.h>
#include <stdbool.h>
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

/* The first op that failed, or the first that has the least to say for itself. */
static int lacks_cases(const conform_report *r, int s, conform_level *level)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        int f = FAULT_NONE + 1;
        while (f < FAULT_COUNT && !c->faults[f])
            f++;
        if (c->failed)
            return lacks(level, "%lld cases of %s fail%s%s", (long long)c->failed,
                         ifn_op_name((ifn_op)op), f < FAULT_COUNT ? ": " : "",
                         f < FAULT_COUNT ? conform_fault_name((conform_fault)f) : "");
    }
    if (r->end_to_end[s].failed)
        return lacks(level, "%lld of %lld runs of whole models fail",
                     (long long)r->end_to_end[s].failed, (long long)r->end_to_end[s].executed);
    return lacks(level, "the run is not conformant");
}

/* Of everything that the profile has, on one machine, and nothing failed. */
static bool is_whole_run(const conform_report *r, int s, conform_level *level)
{
    const conform_planned *const p = &r->planned[s];
    if (!conform_report_tested_is_conformant(r, s))
        return lacks_cases(r, s, level);
    if (!p->whole)
        return lacks(level, "the report does not say what was planned");
    if (r->filters[0])
        return lacks(level, "needs a run of everything, this is of %.120s alone", r->filters);
    if (p->cases != p->whole || p->digest != p->whole_digest)
        return lacks(level, "needs all shards, this is %s", r->shard);
    if (r->rounds_begun > r->rounds_done)
        return lacks(level, "needs whole rounds, the last was cut short");
    if (strcmp(r->origin.cpu, ORIGIN_SEVERAL) == 0)
        return lacks(level, "needs one machine, the reports are of several");
    return true;
}

static bool is_covered(const conform_report *r, int s, conform_level *level)
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
    return true;
}

static bool is_unbiased(const conform_cell *c)
{
    for (int d = 0; d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++)
            if (conform_mean_is_biased(&c->kinds[d][p].bias, &c->kinds[d][p].lean) ||
                conform_mean_is_biased(&c->kinds[d][p].outward, &c->kinds[d][p].lean))
                return false;
    return true;
}

static bool is_bronze(const conform_report *r, int s, conform_level *level)
{
    if (!is_whole_run(r, s, level) || !is_covered(r, s, level))
        return false;
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
    return true;
}

static bool is_silver(const conform_report *r, int s, conform_level *level)
{
    if (strcmp(r->profile, "ci") != 0 && strcmp(r->profile, "nightly") != 0)
        return lacks(level, "needs the profile ci, this is %s", r->profile);
    for (int i = 0; i < CONFORM_INVARIANCES; i++) {
        int64_t tried = 0;
        for (int op = 0; op < IFN_OP_COUNT; op++)
            tried += conform_report_cell(r, (ifn_op)op, s)->relations[i].tried;
        if (!tried)
            return lacks(level, "R%d was never tried", i);
    }
    return conform_reach_is_whole(r, s, level->lacks, sizeof level->lacks);
}

/* Whether whole models ran on weights of F16, or of blocks. */
static bool has_run(const conform_report *r, int s, bool wants_blocks)
{
    for (int64_t i = 0; i < r->n_rows; i++) {
        ifn_dtype dtype;
        if (r->rows[i].tested != s || !r->rows[i].runs ||
            strcmp(r->rows[i].rule, "company") == 0 || /* no truth was looked at */
            !ifn_dtype_from_name(r->rows[i].weights, &dtype))
            continue;
        if (wants_blocks ? ifn_dtype_block_elements(dtype) > 1 : dtype == IFN_DTYPE_F16)
            return true;
    }
    return false;
}

static bool is_proved(const conform_evidence *e, const char *missing, const char *what,
                      conform_level *level)
{
    if (!e->executed)
        return lacks(level, "the report has no %s", missing);
    if (e->failed)
        return lacks(level, "%lld of %lld %s", (long long)e->failed, (long long)e->executed, what);
    return true;
}

static bool is_gold(const conform_report *r, int s, conform_level *level)
{
    if (!r->registers_checked)
        return lacks(level, "registers were not looked at");
    if (!is_proved(&r->end_to_end[s], "whole models", "runs of whole models fail", level))
        return false;
    if (!has_run(r, s, 0) || !has_run(r, s, 1))
        return lacks(level, "needs a whole model of %s weights",
                     has_run(r, s, 0) ? "quantized" : "F16");
    return is_proved(&r->museum, "museum", "faults of the museum survive", level);
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

const char *conform_report_arithmetic(const conform_report *r, int tested,
                                      char out[REPORT_ARITHMETIC_BYTES])
{
    const char *first = "";
    bool are_alike = 1;
    size_t used = 0;
    *out = '\0';
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *const c = conform_report_cell(r, (ifn_op)op, tested);
        if (!c->arithmetic[0])
            continue;
        first = *first ? first : c->arithmetic;
        are_alike &= strcmp(first, c->arithmetic) == 0;
        if (used < REPORT_ARITHMETIC_BYTES)
            used += (size_t)snprintf(out + used, REPORT_ARITHMETIC_BYTES - used, "%s%s: %s",
                                     used ? "; " : "", ifn_op_name((ifn_op)op), c->arithmetic);
    }
    if (are_alike)
        snprintf(out, REPORT_ARITHMETIC_BYTES, "%s", first);
    return out;
}

static void put_level(const conform_report *r, int s, FILE *out)
{
    const conform_level level = conform_level_of(r, s);
    char arithmetic[REPORT_ARITHMETIC_BYTES];
    fprintf(out, "%s: %s", r->label[s], conform_rank_name(level.rank));
    if (*conform_report_arithmetic(r, s, arithmetic))
        fprintf(out, ", %s", arithmetic);
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
    for (int s = 0; s < r->n_tested; s++)
        put_level(r, s, out);
}
