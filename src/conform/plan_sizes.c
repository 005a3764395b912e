#include "plan_sizes.h"

#include <math.h>

int64_t plan_roll(plan_dice *d, int64_t low, int64_t high)
{
    return conform_integer(d->stream, d->next++, low, high);
}

int conform_octave(int64_t size)
{
    int octave = -1;
    for (; size > 0; size >>= 1)
        octave++;
    return octave;
}

static int64_t log_uniform(int64_t low, int64_t high, plan_dice *d)
{
    const double a = log((double)low + 1), b = log((double)high + 1);
    const double x = a + (b - a) * conform_uniform(d->stream, d->next++);
    const int64_t size = (int64_t)floor(exp(x) - 1 + 0.5);
    return size < low ? low : size > high ? high : size;
}

/* One less, equal to or one more than a multiple of a vector width or tile. */
static int64_t near_width(int64_t low, int64_t high, plan_dice *d)
{
    const int64_t width = (int64_t)8 << plan_roll(d, 0, 4);
    const int64_t size =
        log_uniform(1, high / width > 1 ? high / width : 1, d) * width + plan_roll(d, -1, 1);
    return size < low || size > high ? log_uniform(low, high, d) : size;
}

static int64_t to_multiple(const spec_dim *dim, int64_t size)
{
    const int64_t multiple = dim->multiple > 1 ? dim->multiple : 1;
    return (size + multiple - 1) / multiple * multiple;
}

int64_t plan_size(const spec_dim *dim, plan_dice *d)
{
    const int64_t low = dim->random_low, high = dim->random_high;
    const int64_t way = plan_roll(d, 0, 9);
    if (dim->n_edges && (way < 4 || high <= low))
        return dim->edges[plan_roll(d, 0, dim->n_edges - 1)];
    return to_multiple(dim, way < 7 ? near_width(low, high, d) : log_uniform(low, high, d));
}

int64_t plan_model_size(const spec_dim *dim, plan_dice *d)
{
    if (dim->model_n < 1)
        return plan_size(dim, d);
    return dim->model[plan_roll(d, 0, dim->model_n - 1)];
}

typedef struct plan_kind {
    conform_tier tier;
    conform_family family;
} plan_kind;

/* A third of the cases of a reduction in each tier, special values now and then. */
static const plan_kind reduction_kinds[] = {
    {TIER_T0, FAMILY_LATTICE},    {TIER_T0, FAMILY_LATTICE},       {TIER_T0, FAMILY_ASYMMETRIC},
    {TIER_T0, FAMILY_ONE_HOT},    {TIER_T1, FAMILY_NORMAL},        {TIER_T1, FAMILY_POSITIVE},
    {TIER_T1, FAMILY_CANCELLING}, {TIER_T1, FAMILY_TINY},          {TIER_T1, FAMILY_HUGE_VALUES},
    {TIER_T1, FAMILY_WIDE},       {TIER_SPECIAL, FAMILY_SPECIALS},
};

static const plan_kind statistical_kinds[] = {
    {TIER_T2, FAMILY_NORMAL},
    {TIER_T2, FAMILY_NORMAL},
    {TIER_T2, FAMILY_WIDE},
};

static const plan_kind plain_kinds[] = {
    {TIER_T1, FAMILY_NORMAL}, {TIER_T1, FAMILY_NORMAL},        {TIER_T1, FAMILY_POSITIVE},
    {TIER_T1, FAMILY_TINY},   {TIER_T1, FAMILY_HUGE_VALUES},   {TIER_T1, FAMILY_WIDE},
    {TIER_T1, FAMILY_WIDE},   {TIER_SPECIAL, FAMILY_SPECIALS},
};

enum {
    N_REDUCTION = sizeof reduction_kinds / sizeof *reduction_kinds,
    N_STATISTICAL = sizeof statistical_kinds / sizeof *statistical_kinds,
    N_PLAIN = sizeof plain_kinds / sizeof *plain_kinds
};

static plan_kind reduction_kind(const conform_module *m, const conform_case *c, plan_dice *d)
{
    const int64_t way = plan_roll(d, 0, 9);
    if (m->has_statistics && way < 3)
        return statistical_kinds[plan_roll(d, 0, N_STATISTICAL - 1)];
    if (ifn_dtype_is_quantized(c->dtype) && way == 3)
        return (plan_kind){TIER_T1, FAMILY_SCALE_PROBE};
    return reduction_kinds[plan_roll(d, 0, N_REDUCTION - 1)];
}

void plan_tier(const conform_module *m, conform_case *c, plan_dice *d)
{
    const plan_kind kind =
        m->is_reduction ? reduction_kind(m, c, d) : plain_kinds[plan_roll(d, 0, N_PLAIN - 1)];
    c->tier = kind.tier;
    c->family = kind.family;
}

static int is_among(const plan_kind *kinds, int n, plan_kind kind)
{
    for (int i = 0; i < n; i++)
        if (kinds[i].tier == kind.tier && kinds[i].family == kind.family)
            return 1;
    return 0;
}

int plan_pairs(const conform_module *m, ifn_dtype dtype, conform_tier tier, conform_family family)
{
    const plan_kind kind = {tier, family};
    if (tier == TIER_GOLDEN)
        return family == FAMILY_WRITTEN;
    if (tier == TIER_REFUSE)
        return family == FAMILY_NORMAL;
    if (!m->is_reduction)
        return is_among(plain_kinds, N_PLAIN, kind);
    if (family == FAMILY_SCALE_PROBE)
        return tier == TIER_T1 && ifn_dtype_is_quantized(dtype);
    return is_among(reduction_kinds, N_REDUCTION, kind) ||
           (m->has_statistics && is_among(statistical_kinds, N_STATISTICAL, kind));
}

int64_t plan_elements(const conform_module *m, const conform_case *c)
{
    conform_layout l = {0};
    int64_t n = 0;
    if (m->layout(c, &l) != IFN_OK)
        return -1;
    for (int i = 0; i < l.n; i++)
        n += l.t[i].rows * l.t[i].cols;
    return n;
}
