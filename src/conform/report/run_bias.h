/*
 * Does a backend err to one side? The sum of e = (got - want) / bound over the elements of a T2
 * case, divided by the root of the sum of e^2, is one sample; over many cases their mean must lie
 * within BIAS_ERRORS standard errors of zero, or LEAN_ERRORS of what may be one-sided
 * (numerics 4.5). Once signed as it is (a result that is always a little too large), once by the
 * sign of the truth (a result that is always a little too far from zero: digits cut off instead of
 * rounded).
 */
#ifndef CONFORM_RUN_BIAS_H
#define CONFORM_RUN_BIAS_H

#include "report_counts.h"

/* BIAS_SHARE: a mean error of that part of the root mean square is rounding to nearest itself. */
enum { BIAS_ENOUGH = 100, BIAS_ERRORS = 6, LEAN_ERRORS = 3, BIAS_SHARE = 8 };

void conform_mean_add(conform_mean *self, double x);
double conform_mean_value(const conform_mean *self);
/* Of the mean; 0 below two samples. */
double conform_mean_error(const conform_mean *self);

/* 1 where there are enough samples and the mean is out of its range. `lean`: how far it may be from
 * 0 of itself, over the same samples. */
int conform_mean_is_biased(const conform_mean *self, const conform_mean *lean);

void conform_count_bias(conform_kind *kind, const conform_case *c, const conform_verdict *v);

#endif
