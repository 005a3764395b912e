/* Plans calls with weights of several dtypes (spec/numerics.md, 10: weights of one call). */
#ifndef CONFORM_PLAN_MIXED_H
#define CONFORM_PLAN_MIXED_H

#include "planner.h"

/* Adds calls with each dtype as the first weight and each other dtype after it; in smoke only dtypes whose rows have
 * the same number of bytes, so that only the values tell them apart. Adds calls in which a dtype comes two or three
 * times before another, drawn one. */
IFN_NODISCARD ifn_status planner_add_mixed(planner *p, ifn_error *err);

#endif
