/* Simplifies written inputs: as many zeros as possible, then 1, then powers of two. */
#include <math.h>

#include "case_pool.h"
#include "shrink_run.h"
#include "written_case.h"

/* Replaces `n` values from `first` on by `x` and keeps that if the case still fails. */
static int try_values(shrinker *s, spec_values *v, int64_t first, int64_t n, double x)
{
    double kept[SPEC_MAX_VALUES];
    int changed = 0;
    for (int64_t i = 0; i < n; i++) {
        kept[i] = v->values[first + i];
        changed |= !(kept[i] == x) || (signbit(kept[i]) != signbit(x));
        v->values[first + i] = x;
    }
    if (!changed)
        return 1;
    const conform_case c = s->best;
    if (shrink_try(s, &c))
        return 1;
    for (int64_t i = 0; i < n; i++)
        v->values[first + i] = kept[i];
    return 0;
}

/* Sets values to 0: all of them, else halves, down to single ones. */
static void clear(shrinker *s, spec_values *v, int64_t first, int64_t n)
{
    if (n < 1 || try_values(s, v, first, n, 0) || n == 1)
        return;
    clear(s, v, first, n / 2);
    clear(s, v, first + n / 2, n - n / 2);
}

static double power_of_two(double x)
{
    return copysign(exp2(round(log2(fabs(x)))), x);
}

/* Simplifies a float that cannot be 0: tries 1, -1, a power of two, an integer. */
static void round_off(shrinker *s, spec_values *v, int64_t i)
{
    const double x = v->values[i];
    if (x == 0 || !isfinite(x) || try_values(s, v, i, 1, 1) || try_values(s, v, i, 1, -1) ||
        try_values(s, v, i, 1, power_of_two(x)) || fabs(x) < 1)
        return;
    try_values(s, v, i, 1, round(x));
}

static void simplify(shrinker *s, const conform_slot *slot)
{
    spec_entry *entry = s->values;
    for (int i = 0; i < entry->n_values; i++)
        clear(s, &entry->values[i], 0, entry->values[i].n);
    for (int i = 0; i < entry->n_values; i++) {
        spec_values *v = &entry->values[i];
        const int t = conform_tensor_index(&slot->layout, v->name);
        const bool is_float =
            v->kind == SPEC_NUMBERS &&
            (slot->layout.t[t].element == ELEMENT_F32 || slot->layout.t[t].dtype == IFN_DTYPE_F32);
        for (int64_t j = 0; is_float && j < v->n; j++)
            round_off(s, v, j);
    }
}

/* True if the scalar backend passes the written case, which proves the case right. */
static int scalar_passes(shrinker *s)
{
    conform_verdict v = {.outcome = OUTCOME_NOT_RUN};
    if (s->status == IFN_OK)
        s->status = conform_runner_try_scalar(s->runner, &s->best, s->values, &v, s->err);
    return s->status == IFN_OK && v.outcome == OUTCOME_PASS;
}

static void shrink_slot(shrinker *s, const conform_slot *slot)
{
    conform_case c = s->best;
    c.tier = TIER_GOLDEN;
    c.family = FAMILY_WRITTEN;
    c.index = 1;
    s->values = conform_written_of(slot, conform_check_name(s->check), SPEC_MAX_VALUES);
    if (!s->values)
        return;
    const uint64_t seed = c.seed; /* it still decides where tensors lie */
    c.seed = 1;
    int fails = shrink_try(s, &c);
    c.seed = seed;
    if (fails || shrink_try(s, &c)) {
        simplify(s, slot);
        if (scalar_passes(s))
            return;
    }
    conform_written_free(s->values);
    s->values = NULL;
}

void shrink_values(shrinker *s)
{
    conform_pool pool;
    ifn_error err;
    conform_pool_init(&pool);
    conform_slot *slot = conform_pool_take(&pool, 1, sizeof *slot);
    if (conform_slot_build(slot, &pool, &s->best, NULL, NULL, &err) == IFN_OK)
        shrink_slot(s, slot);
    conform_pool_fini(&pool);
}
