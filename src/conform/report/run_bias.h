/*
 * Tests whether the errors of a backend lean to one side. Each T2 case gives one sample: the sum of
 * e = (got - want) / bound over its elements, divided by the root of the sum of e^2. The mean of many samples must lie
 * within BIAS_ERRORS standard errors of zero, or within LEAN_ERRORS standard errors of the lean that is allowed
 * (numerics 4.5). This is done twice: with the sign of e (finds results that are always a little too large), and with
 * the sign relative to the truth (finds results that are always a little too far from or too near zero, as when digits
 * are truncated instead of rounded).
 */
#ifndef CONFORM_RUN_BIAS_H
#define CONFORM_RUN_BIAS_H

#include "report_counts.h"

/* BIAS_SHARE: rounding to nearest itself may have a mean error of 1 / BIAS_SHARE of its root mean square. */
enum { BIAS_ENOUGH = 100, BIAS_ERRORS = 6, LEAN_ERRORS = 3, BIAS_SHARE = 8 };

void conform_mean_add(conform_mean *self, double x);
double conform_mean_value(const conform_mean *self);
/* Returns the standard error of the mean; 0 below two samples. */
double conform_mean_error(const conform_mean *self);

/* Returns 1 if there are at least BIAS_ENOUGH samples and their mean is out of range. `lean`: how far the mean may lie
 * from 0, over the same samples. */
int conform_mean_is_biased(const conform_mean *self, const conform_mean *lean);

void conform_count_bias(conform_kind *kind, const conform_case *c, const conform_verdict *v);

#endif
