#include "shrink.h"

#include <inferno/clock.h>

#include "plan_sizes.h"
#include "shrink_run.h"
#include "written_case.h"

int shrink_try(shrinker *s, const conform_case *c)
{
    conform_verdict v;
    if (s->status != IFN_OK || ifn_clock_ns() > s->deadline)
        return 0;
    if (plan_elements(conform_module_of(c->op), c) < 0)
        return 0;
    s->status = s->values
                    ? conform_runner_try_written(s->runner, s->subject, c, s->values, &v, s->err)
                    : conform_runner_try(s->runner, s->subject, c, &v, s->err);
    if (s->status != IFN_OK || v.outcome != OUTCOME_FAIL || v.fault != s->fault)
        return 0;
    s->best = *c;
    return 1;
}

static int try_size(shrinker *s, int dim, int64_t size)
{
    conform_case c = s->best;
    c.dim[dim] = size;
    return size < s->best.dim[dim] && shrink_try(s, &c);
}

enum { SMALL = 16 };

/* Small sizes from below, then ever smaller steps down: failing sizes need not be contiguous. */
static void shrink_dim(shrinker *s, int dim)
{
    for (int64_t size = 0; size <= SMALL; size++)
        if (try_size(s, dim, size))
            return;
    for (int64_t step = s->best.dim[dim] / 2; step > 0;)
        if (!try_size(s, dim, s->best.dim[dim] - step))
            step /= 2;
}

static int64_t total_size(const conform_case *c)
{
    int64_t total = 0;
    for (int i = 0; i < CONFORM_MAX_DIMS; i++)
        total += c->dim[i];
    return total;
}

static void shrink_shape(shrinker *s)
{
    int64_t before;
    do {
        before = total_size(&s->best);
        for (int i = 0; i < CONFORM_MAX_DIMS; i++)
            if (s->best.dim[i] > 0)
                shrink_dim(s, i);
    } while (total_size(&s->best) < before && s->status == IFN_OK);
}

static void drop_handles_and_overlaps(shrinker *s)
{
    conform_case c = s->best;
    c.prepared = 0;
    if (s->best.prepared)
        shrink_try(s, &c);
    c = s->best;
    c.n_more = 0;
    if (s->best.n_more)
        shrink_try(s, &c);
    c = s->best;
    c.alias = 0;
    if (s->best.alias)
        shrink_try(s, &c);
}

/* Families whose inputs are easier to read. */
static void simplify(shrinker *s)
{
    static const struct {
        conform_tier tier;
        conform_family family;
    } simpler[] = {{TIER_T0, FAMILY_ONE_HOT}, {TIER_T0, FAMILY_LATTICE}, {TIER_T1, FAMILY_NORMAL}};
    const int is_reduction = conform_module_of(s->best.op)->is_reduction;
    conform_case c;
    drop_handles_and_overlaps(s);
    for (size_t i = is_reduction ? 0 : 2; i < sizeof simpler / sizeof *simpler; i++) {
        c = s->best;
        c.tier = simpler[i].tier;
        c.family = simpler[i].family;
        if ((c.tier == s->best.tier && c.family == s->best.family) || shrink_try(s, &c))
            break;
    }
    c = s->best;
    c.seed = 1;
    shrink_try(s, &c);
}

/* The case that is made from its seed, then the one that has values of its own. */
static void shrink_everything(shrinker *s, conform_failure *f)
{
    shrink_shape(s);
    simplify(s);
    shrink_shape(s);
    shrinker written = *s;
    shrink_values(&written);
    shrink_setting(s);
    conform_case_id(&s->best, f->shrunk);
    if (!written.values)
        return;
    shrink_setting(&written);
    conform_case_id(&written.best, f->written);
    f->values = written.values;
    if (s->status == IFN_OK)
        s->status = written.status;
}

ifn_status conform_shrink(conform_runner *runner, conform_failure *f, ifn_error *err)
{
    shrinker s = {.runner = runner,
                  .subject = f->subject,
                  .fault = f->verdict.fault,
                  .deadline = ifn_clock_ns() + (uint64_t)(SHRINK_SECONDS * 1e9),
                  .err = err};
    if (!conform_case_parse(f->id, &s.best, err))
        return IFN_ERR_ARGUMENT;
    if (s.best.tier == TIER_GOLDEN || s.best.tier == TIER_REFUSE || f->verdict.fault == FAULT_HANG)
        return IFN_OK;
    shrink_everything(&s, f);
    return s.status;
}
