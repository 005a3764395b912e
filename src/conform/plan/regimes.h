/*
 * Regimes: kinds of inputs, each a family in a tier. The spec of an op lists its regimes; the planner draws cases
 * from that list, and the certificate counts by it.
 */
#ifndef CONFORM_REGIMES_H
#define CONFORM_REGIMES_H

#include "plan_sizes.h"

/* Draw a tier of the op, then a family of that tier, for weights of the case's dtype. Tiers have fixed shares, which
 * the planner's search for new combinations does not change. */
conform_tier conform_draw_tier(const spec_op *spec, const conform_case *c, plan_dice *d);
conform_family conform_draw_family(const spec_op *spec, const conform_case *c, plan_dice *d);

/* The regime of a case: an index into spec->regimes (the first one, if the spec names it twice). -1: the spec does not
 * list it, or not for weights of this dtype. Golden and refuse entries and pieces of sweeps (exhaustive.h) have none.
 */
int conform_regime_of(const spec_op *spec, const conform_case *c);

/* The least number of cases in a regime, for each dtype, form of weights and dtype of the output that the op can have
 * it in. */
int32_t conform_regime_least(conform_profile profile);

/* 1 if the tier can judge the op on inputs of this family, with weights of `dtype`. A spec may list only such regimes;
 * GOLDEN and REFUSE cases, which no spec lists, have one family each. */
int conform_regime_is_judged(const conform_module *m, ifn_dtype dtype, conform_tier tier,
                             conform_family family);

#endif
