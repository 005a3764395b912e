/*
 * Which cases an op gets: what the spec writes down or always wants, model sizes, a greedy 3-way
 * covering array, then random ones, all from one seed; and pieces of the sweeps over all values
 * (exhaustive.h), others with every seed.
 */
#ifndef CONFORM_PLAN_CASES_H
#define CONFORM_PLAN_CASES_H

#include <stdbool.h>

#include "plan.h"

/* 0 cases is no error: the filter may leave nothing of this op. */
IFN_NODISCARD ifn_status conform_plan_open(conform_plan *self, const spec_op *spec,
                                           const conform_filter *filter, ifn_error *err);

#endif
