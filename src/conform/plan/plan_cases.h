/*
 * Plans the cases of an op, all from one seed: the entries of its spec (golden, refuse, always), model sizes, a
 * greedy 3-way covering array, random cases, and pieces of the sweeps over all values (exhaustive.h). Another
 * seed takes other pieces.
 */
#ifndef CONFORM_PLAN_CASES_H
#define CONFORM_PLAN_CASES_H

#include <stdbool.h>

#include "plan.h"

/* A plan of 0 cases is no error: the filter may exclude the whole op. */
IFN_NODISCARD ifn_status conform_plan_open(conform_plan *self, const spec_op *spec,
                                           const conform_filter *filter, ifn_error *err);

#endif
