#include "regimes.h"

/* The share of each tier in a hundred cases; the share of a tier that an op lacks goes to the others. */
static const int share_of[] = {[TIER_T0] = 25, [TIER_T1] = 40, [TIER_T2] = 30, [TIER_SPECIAL] = 5};
enum { TIERS = sizeof share_of / sizeof *share_of };

/* SCALE_PROBE tests the scales of blocks, so it needs a dtype that has blocks. */
static int fits(const spec_regime *regime, const conform_case *c)
{
    return regime->family != FAMILY_SCALE_PROBE || ifn_dtype_is_quantized(c->dtype);
}

static int count_tier(const spec_op *spec, const conform_case *c, int tier)
{
    int n = 0;
    for (int i = 0; i < spec->n_regimes; i++)
        n += (int)spec->regimes[i].tier == tier && fits(&spec->regimes[i], c);
    return n;
}

conform_tier conform_draw_tier(const spec_op *spec, const conform_case *c, plan_dice *d)
{
    int shares[TIERS] = {0}, sum = 0, tier = 0;
    for (int t = 0; t < TIERS; t++)
        sum += shares[t] = count_tier(spec, c, t) ? share_of[t] : 0;
    for (int64_t left = plan_roll(d, 0, sum - 1); left >= shares[tier]; tier++)
        left -= shares[tier];
    return (conform_tier)tier;
}

conform_family conform_draw_family(const spec_op *spec, const conform_case *c, plan_dice *d)
{
    int64_t left = plan_roll(d, 0, count_tier(spec, c, (int)c->tier) - 1);
    for (int i = 0; i < spec->n_regimes; i++) {
        const spec_regime *const regime = &spec->regimes[i];
        if (regime->tier == c->tier && fits(regime, c) && left-- == 0)
            return regime->family;
    }
    return FAMILY_NORMAL;
}

int conform_regime_of(const spec_op *spec, const conform_case *c)
{
    for (int i = 0; i < spec->n_regimes; i++)
        if (spec->regimes[i].tier == c->tier && spec->regimes[i].family == c->family &&
            fits(&spec->regimes[i], c))
            return i;
    return -1;
}

int32_t conform_regime_least(conform_profile profile)
{
    static const int32_t least[PROFILE_COUNT] = {
        [PROFILE_SMOKE] = 0, [PROFILE_CI] = 8, [PROFILE_NIGHTLY] = 64};
    return least[profile];
}

static bool is_exact(conform_family family)
{
    return family == FAMILY_LATTICE || family == FAMILY_ASYMMETRIC || family == FAMILY_ONE_HOT ||
           family == FAMILY_NEEDLE;
}

/* The families that are in no drawn tier: written by the spec, or pieces of a sweep. */
static bool is_apart(conform_family family)
{
    return family == FAMILY_WRITTEN || family == FAMILY_EVERY;
}

/* The families that are judged by the table of numerics 10. */
static bool is_special(conform_family family)
{
    return family == FAMILY_SPECIALS || family == FAMILY_ON_ZEROS || family == FAMILY_PATTERNS ||
           family == FAMILY_WALL;
}

int conform_regime_is_judged(const conform_module *m, ifn_dtype dtype, conform_tier tier,
                             conform_family family)
{
    switch (tier) {
    case TIER_T0:
        return m->is_reduction && is_exact(family) &&
               (family != FAMILY_NEEDLE || m->op == IFN_OP_ATTENTION);
    case TIER_T1:
        if (family == FAMILY_SCALE_PROBE)
            return m->is_reduction && ifn_dtype_is_quantized(dtype);
        return !is_exact(family) && !is_apart(family) && !is_special(family);
    case TIER_T2:
        return m->has_statistics &&
               (family == FAMILY_NORMAL || family == FAMILY_WIDE || family == FAMILY_GRADED);
    case TIER_SPECIAL:
        return is_special(family);
    case TIER_GOLDEN:
        return family == FAMILY_WRITTEN;
    case TIER_REFUSE:
        return family == FAMILY_NORMAL;
    case TIER_COUNT:
        break;
    }
    return 0;
}
