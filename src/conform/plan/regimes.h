/*
 * Regimes: kinds of inputs, a family in a tier. Which an op is tried on its spec lists, cases are
 * drawn from that list, and whoever counts what was reached counts by it.
 */
#ifndef CONFORM_REGIMES_H
#define CONFORM_REGIMES_H

#include "plan_sizes.h"

/* A tier of the op, then a family of it, for weights of the dtype that the case has. Tiers have
 * fixed shares, whatever a planner that looks for combinations would rather have. */
conform_tier conform_draw_tier(const spec_op *spec, const conform_case *c, plan_dice *d);
conform_family conform_draw_family(const spec_op *spec, const conform_case *c, plan_dice *d);

/* The regime of a case: an index into spec->regimes (of one named twice the first); -1: none of the
 * spec's, or none for weights of its dtype; nor are what the spec writes down and pieces of sweeps
 * (exhaustive.h) of any. */
int conform_regime_of(const spec_op *spec, const conform_case *c);

/* How many cases of a regime a run has at least, of each dtype, form of weights and dtype of the
 * output that the op can have it in. */
int32_t conform_regime_least(conform_profile profile);

/* 1 if the op's bounds hold for such inputs, weights of `dtype`: what a spec may list, and what
 * else is a case of a tier of its own. */
int conform_regime_is_judged(const conform_module *m, ifn_dtype dtype, conform_tier tier,
                             conform_family family);

#endif
