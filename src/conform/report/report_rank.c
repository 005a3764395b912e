#include "report_rank.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "run_bias.h"

const char *conform_rank_name(conform_rank rank)
{
    static const char *const names[] = {"no level", "Bronze", "Silver", "Gold"};
    return (size_t)rank < sizeof names / sizeof *names ? names[rank] : "?";
}

/* Notes what the next rank lacks; returns 0, as the rank is not reached. */
static int lacks(conform_standing *standing, const char *format, ...) IFN_PRINTF(2, 3);
static int lacks(conform_standing *standing, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(standing->lacks, sizeof standing->lacks, format, list);
    va_end(list);
    return 0;
}

/* Names the first op with a failure; if no op failed, the failed runs of whole models; else says "not conformant". */
static int lacks_cases(const conform_report *r, int s, conform_standing *standing)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        int f = CHECK_NONE + 1;
        while (f < CHECK_COUNT && !c->checks[f])
            f++;
        if (c->failed)
            return lacks(standing, "%lld cases of %s fail%s%s", (long long)c->failed,
                         ifn_op_name((ifn_op)op), f < CHECK_COUNT ? ": " : "",
                         f < CHECK_COUNT ? conform_check_name((conform_check)f) : "");
    }
    if (r->end_to_end[s].failed)
        return lacks(standing, "%lld of %lld runs of whole models fail",
                     (long long)r->end_to_end[s].failed, (long long)r->end_to_end[s].executed);
    return lacks(standing, "the run is not conformant");
}

/* Returns true if the run covers everything the profile has, on one machine, and nothing failed. */
static bool is_whole_run(const conform_report *r, int s, conform_standing *standing)
{
    const conform_planned *const p = &r->planned[s];
    if (!conform_report_tested_is_conformant(r, s))
        return lacks_cases(r, s, standing);
    if (!p->whole)
        return lacks(standing, "the report does not say what was planned");
    if (r->filters[0])
        return lacks(standing, "needs a run of everything, this is of %.120s alone", r->filters);
    if (r->is_in_process)
        return lacks(standing, "needs worker processes, this run was --in-process");
    if (p->cases != p->whole || p->digest != p->whole_digest)
        return lacks(standing, "needs all shards, this is %s", r->shard);
    if (r->rounds_begun > r->rounds_done)
        return lacks(standing, "needs whole rounds, the last was cut short");
    if (strcmp(r->origin.cpu, ORIGIN_SEVERAL) == 0)
        return lacks(standing, "needs one machine, the reports are of several");
    return true;
}

/* True if calls of at least one dtype and form of weights were all executed: of others the backend may refuse some. */
static bool is_executed(const conform_cell *c)
{
    for (int d = 0; c->computed && d < IFN_DTYPE_COUNT; d++)
        for (int p = 0; p < 2; p++)
            if (c->kinds[d][p].executed && !c->kinds[d][p].refused)
                return true;
    return false;
}

static bool is_covered(const conform_report *r, int s, conform_standing *standing)
{
    int missing = 0, first = -1;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        if (is_executed(c))
            continue;
        missing++;
        first = first < 0 ? op : first;
    }
    if (missing)
        return lacks(standing,
                     "%d of %d ops were executed in no dtype, or only in part, %s among them",
                     missing, IFN_OP_COUNT, ifn_op_name((ifn_op)first));
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

static bool is_bronze(const conform_report *r, int s, conform_standing *standing)
{
    if (!is_whole_run(r, s, standing) || !is_covered(r, s, standing))
        return false;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        const char *name = ifn_op_name((ifn_op)op);
        if (c->undeclared)
            return lacks(standing, "%lld undeclared refusals of %s", (long long)c->undeclared,
                         name);
        if (c->blunt && !c->sharp)
            return lacks(standing, "%s has blunt cases alone", name);
        if (!is_unbiased(c))
            return lacks(standing, "%s errs to one side", name);
    }
    return true;
}

static bool is_silver(const conform_report *r, int s, conform_standing *standing)
{
    if (strcmp(r->profile, "ci") != 0 && strcmp(r->profile, "nightly") != 0)
        return lacks(standing, "needs the profile ci, this is %s", r->profile);
    for (int i = 0; i < CONFORM_INVARIANCES; i++) {
        int64_t tried = 0;
        for (int op = 0; op < IFN_OP_COUNT; op++)
            tried += conform_report_cell(r, (ifn_op)op, s)->relations[i].tried;
        if (!tried)
            return lacks(standing, "R%d was never tried", i);
    }
    return conform_reach_is_whole(r, s, standing->lacks, sizeof standing->lacks);
}

/* Returns whether whole models ran a long prompt on weights of F16, or (wants_blocks) on quantized weights. Models that
 * are too small for one show little. */
static bool has_run(const conform_report *r, int s, bool wants_blocks)
{
    for (int64_t i = 0; i < r->n_rows; i++) {
        ifn_dtype dtype;
        if (r->rows[i].tested != s || !r->rows[i].runs || strcmp(r->rows[i].rule, "long") != 0 ||
            !ifn_dtype_from_name(r->rows[i].weights, &dtype))
            continue;
        if (wants_blocks ? ifn_dtype_block_elements(dtype) > 1 : dtype == IFN_DTYPE_F16)
            return true;
    }
    return false;
}

static bool is_proved(const conform_evidence *e, const char *missing, const char *what,
                      conform_standing *standing)
{
    if (!e->executed)
        return lacks(standing, "the report has no %s", missing);
    if (e->failed)
        return lacks(standing, "%lld of %lld %s", (long long)e->failed, (long long)e->executed,
                     what);
    return true;
}

static bool is_gold(const conform_report *r, int s, conform_standing *standing)
{
    if (!r->registers_checked)
        return lacks(standing, "registers were not looked at");
    if (!is_proved(&r->end_to_end[s], "whole models", "runs of whole models fail", standing))
        return false;
    if (!has_run(r, s, 0) || !has_run(r, s, 1))
        return lacks(standing, "needs a long prompt on a whole model of %s weights",
                     has_run(r, s, 0) ? "quantized" : "F16");
    return is_proved(&r->museum, "museum", "faults of the museum survive", standing);
}

/* Counts the ops that the backend implements itself; finds the backend from which it inherits most of the others. */
static void find_base(const conform_report *r, int s, conform_standing *standing)
{
    int most = 0;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_cell *c = conform_report_cell(r, (ifn_op)op, s);
        int same = 0;
        standing->own += c->by[0] && !c->is_inherited;
        for (int other = 0; c->is_inherited && other < IFN_OP_COUNT; other++)
            same += strcmp(conform_report_cell(r, (ifn_op)other, s)->by, c->by) == 0;
        if (same <= most)
            continue;
        most = same;
        memcpy(standing->base, c->by, sizeof standing->base);
    }
}

conform_standing conform_standing_of(const conform_report *r, int s)
{
    conform_standing standing = {.rank = RANK_NONE};
    find_base(r, s, &standing);
    if (!is_bronze(r, s, &standing))
        return standing;
    standing.rank = RANK_BRONZE;
    if (!is_silver(r, s, &standing))
        return standing;
    standing.rank = RANK_SILVER;
    if (is_gold(r, s, &standing))
        standing.rank = RANK_GOLD;
    return standing;
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

static void put_standing(const conform_report *r, int s, FILE *out)
{
    const conform_standing standing = conform_standing_of(r, s);
    char arithmetic[REPORT_ARITHMETIC_BYTES];
    fprintf(out, "%s: %s", r->label[s], conform_rank_name(standing.rank));
    if (*conform_report_arithmetic(r, s, arithmetic))
        fprintf(out, ", %s", arithmetic);
    if (standing.base[0] && standing.own == 0)
        fprintf(out, ", all of it inherited from %s", standing.base);
    else if (standing.base[0])
        fprintf(out, ", %d ops of its own, the others inherited from %s", standing.own,
                standing.base);
    if (standing.lacks[0])
        fprintf(out, "; %s: %s", conform_rank_name((conform_rank)(standing.rank + 1)),
                standing.lacks);
    fputc('\n', out);
}

void conform_report_ranks(const conform_report *r, FILE *out)
{
    for (int s = 0; s < r->n_tested; s++)
        put_standing(r, s, out);
}
