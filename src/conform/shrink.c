#include "shrink.h"

#include <string.h>

#include <inferno/clock.h>

#include "plan_sizes.h"

typedef struct shrinker {
    conform_runner *runner;
    int subject;
    conform_case best;
    uint64_t deadline;
    ifn_status status; /* of the machinery, not of the case */
    ifn_error *err;
} shrinker;

/* Runs a smaller case; keeps it if it fails, too. */
static int try_case(shrinker *s, const conform_case *c)
{
    conform_verdict v;
    if (s->status != IFN_OK || ifn_clock_ns() > s->deadline)
        return 0;
    if (plan_elements(conform_module_of(c->op), c) < 0)
        return 0;
    s->status = conform_runner_try(s->runner, s->subject, c, &v, s->err);
    if (s->status != IFN_OK || v.outcome != OUTCOME_FAIL)
        return 0;
    s->best = *c;
    return 1;
}

static int try_size(shrinker *s, int dim, int64_t size)
{
    conform_case c = s->best;
    c.dim[dim] = size;
    return size < s->best.dim[dim] && try_case(s, &c);
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

static void simplify(shrinker *s)
{
    static const struct {
        conform_tier tier;
        conform_family family;
    } simpler[] = {{TIER_T0, FAMILY_ONE_HOT}, {TIER_T0, FAMILY_LATTICE}, {TIER_T1, FAMILY_NORMAL}};
    const int is_reduction = conform_module_of(s->best.op)->is_reduction;
    conform_case c = s->best;
    c.prepared = 0;
    c.alias = 0;
    (void)(memcmp(&c, &s->best, sizeof c) == 0 || try_case(s, &c));
    for (size_t i = is_reduction ? 0 : 2; i < sizeof simpler / sizeof *simpler; i++) {
        c = s->best;
        c.tier = simpler[i].tier;
        c.family = simpler[i].family;
        if ((c.tier == s->best.tier && c.family == s->best.family) || try_case(s, &c))
            break;
    }
    c = s->best;
    c.seed = 1;
    try_case(s, &c);
}

ifn_status conform_shrink(conform_runner *runner, conform_failure *f, ifn_error *err)
{
    shrinker s = {.runner = runner,
                  .subject = f->subject,
                  .deadline = ifn_clock_ns() + (uint64_t)(SHRINK_SECONDS * 1e9),
                  .err = err};
    if (!conform_case_parse(f->id, &s.best, err))
        return IFN_ERR_ARGUMENT;
    if (s.best.tier == TIER_GOLDEN || s.best.tier == TIER_REFUSE || f->verdict.fault == FAULT_HANG)
        return IFN_OK;
    shrink_shape(&s);
    simplify(&s);
    shrink_shape(&s);
    conform_case_id(&s.best, f->shrunk);
    return s.status;
}
