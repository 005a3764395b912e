/* Calls with weights of several dtypes (spec/numerics.md, 10: weights of one call). */
#ifndef CONFORM_PLAN_MIXED_H
#define CONFORM_PLAN_MIXED_H

#include "planner.h"

/* Each dtype first, with each other one after it: in smoke those whose rows are as long in bytes,
 * so that nothing but the numbers tells them apart. And each dtype twice before others, drawn ones. */
IFN_NODISCARD ifn_status planner_add_mixed(planner *p, ifn_error *err);

#endif
