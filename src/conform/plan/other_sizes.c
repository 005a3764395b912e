#include "other_sizes.h"

#include <stdbool.h>

#include "plan_large.h"

enum { ATTEMPTS = 8, FIRST_LONG = 6, LAST_LONG = 13, REMAINDERS = 64, FEW = 4 };
/* MOST_SIZES: the number of others grows with the sizes of the op up to this many. LEAST: the fewest others. */
enum { MOST_SIZES = 3, LEAST = 2 };

/* The limits of most other calls; one call in LARGER_TURN may be LARGER times as large. */
enum { ELEMENTS = 1 << 15, WORK = 1 << 16, LARGER_TURN = 16, LARGER = 4 };

int conform_other_sizes(const conform_filter *filter)
{
    /* ci has ten times as many cases */
    static const int n[PROFILE_COUNT] = {
        [PROFILE_SMOKE] = 4, [PROFILE_CI] = 2, [PROFILE_NIGHTLY] = 16};
    return conform_filter_is_shaped(filter) || filter->n_cases > 0 ? 0 : n[filter->profile];
}

static bool is_size(const spec_dim *dim)
{
    return spec_dim_is_size(dim) && dim->random_high > dim->random_low && spec_dim_counts(dim);
}

static int count_sizes(const spec_dim *const *dims, int n_dims)
{
    int n = 0;
    for (int i = 0; i < n_dims; i++)
        n += is_size(dims[i]);
    return n;
}

/* True for tiers and families whose results reveal most errors. False for encoders that search: several results are
 * right. */
static bool tells_much(const conform_case *c, const spec_op *spec)
{
    const bool is_judged = c->tier == TIER_T1 || c->tier == TIER_T2;
    if (c->family == FAMILY_EVERY)
        return false;
    for (int i = 0; i < spec->n_quality; i++)
        if (spec->quality[i] == c->out_dtype)
            return false;
    return c->tier == TIER_T0 || (is_judged && c->family == FAMILY_NORMAL);
}

/* An op with several sizes gets more other calls; its dtypes share them. */
int conform_other_sizes_of(const conform_case *c, const spec_op *spec, int n)
{
    if (n == 0 || !spec || !tells_much(c, spec))
        return 0;
    const spec_dim *dims[CONFORM_MAX_DIMS];
    const int n_dims = plan_find_dims(conform_module_of(c->op), spec, dims);
    const int64_t n_sizes = lesser(count_sizes(dims, n_dims), MOST_SIZES);
    return (int)larger(n * n_sizes / spec->n_dtypes, LEAST);
}

/* A short size in units of `multiple`: up to FEW, or up to REMAINDERS, so that any remainder of vectors and tiles
 * occurs. */
static int64_t draw_short(const spec_dim *dim, int64_t multiple, int shorter, plan_dice *d)
{
    const int64_t high = plan_roll(d, 0, 3) == 0 ? FEW : larger(REMAINDERS / multiple, FEW + 1) - 1;
    const int64_t low = dim->random_low > 0 ? 1 : 0;
    return multiple * lesser(plan_roll(d, low, larger(high >> shorter, 1)), dim->limit / multiple);
}

/* A long size: 2^octave or 1.5 times that, plus any remainder. */
static int64_t draw_long(const spec_dim *dim, int64_t multiple, plan_dice *d)
{
    const int64_t octave = plan_roll(d, FIRST_LONG, lesser(LAST_LONG, conform_octave(dim->limit)));
    const int64_t base = ((int64_t)1 << octave) * plan_roll(d, 2, 3) / 2;
    const int64_t rest = plan_roll(d, 0, larger(REMAINDERS / multiple, FEW) - 1);
    return multiple * lesser(larger(base / multiple + rest, 1), dim->limit / multiple);
}

/* Chooses the long dimension, *which, and returns its size; 0: none is long. */
static int64_t draw_longest(const plan_shape *shape, const conform_case *c, int *which,
                            plan_dice *d)
{
    int64_t turn = plan_roll(d, 0, count_sizes(shape->dims, shape->n_dims));
    for (*which = 0; *which < shape->n_dims; ++*which)
        if (is_size(shape->dims[*which]) && --turn == 0 &&
            shape->dims[*which]->limit > 1 << FIRST_LONG)
            return draw_long(shape->dims[*which], plan_multiple(shape, c, *which), d);
    return 0;
}

static bool is_affordable(const plan_shape *shape, const conform_case *c, int64_t times)
{
    const int64_t n = plan_elements(c);
    return n >= 0 && n <= ELEMENTS * times && shape->module->work(c) <= WORK * times;
}

static bool draw_beside(const plan_shape *shape, conform_case *c, int64_t times, plan_dice *d)
{
    int which;
    const int64_t longest = draw_longest(shape, c, &which, d);
    for (int shorter = 0; REMAINDERS >> shorter > 0; shorter++) {
        for (int i = 0; i < shape->n_dims; i++)
            if (is_size(shape->dims[i]))
                c->dim[i] =
                    i == which ? longest
                               : draw_short(shape->dims[i], plan_multiple(shape, c, i), shorter, d);
        if (is_affordable(shape, c, times))
            return true;
    }
    return false;
}

static bool draw_sizes(const plan_shape *shape, conform_case *c, plan_dice *d)
{
    const int64_t times = plan_roll(d, 1, LARGER_TURN) == 1 ? LARGER : 1;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++)
        if (draw_beside(shape, c, times, d))
            return true;
    return false;
}

int conform_other_sizes_draw(const conform_case *c, const spec_op *spec, int i, conform_case *out)
{
    plan_dice d = {.stream = {conform_hash(c->seed, "other sizes", (uint64_t)i)}};
    const spec_dim *dims[CONFORM_MAX_DIMS];
    const conform_module *const module = conform_module_of(c->op);
    const plan_shape shape = {module, dims, plan_find_dims(module, spec, dims)};
    *out = *c;
    out->alias = out->is_at = out->is_cut = 0;
    out->seed = conform_bits(d.stream, d.next++) >> 32;
    return draw_sizes(&shape, out, &d);
}
