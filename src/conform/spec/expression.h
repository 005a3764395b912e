/* Evaluates the expressions of a spec. */
#ifndef CONFORM_EXPRESSION_H
#define CONFORM_EXPRESSION_H

#include "spec.h"

/* What the value of an expression depends on. */
typedef struct conform_scope {
    const spec_op *spec;
    const conform_case *c;
    const ifn_call *args;  /* values of scalar args; NULL: the expression names none */
    const int64_t *counts; /* counters of the law's `each` lines; NULL: the expression names none */
} conform_scope;

/* The value of a term as a real number: 1 / 2 is a half. */
double conform_number(const conform_scope *s, int term);

/* The value as a size or an index, rounded down. False: it does not fit 53 bits. */
bool conform_whole(const conform_scope *s, int term, int64_t *out);

/* Sets the shape that the spec gives a tensor. Returns its number of dimensions; 0: the shape does not hold n
 * elements. */
int conform_shape_of(const spec_op *spec, const conform_case *c, const spec_arg *arg, int64_t n,
                     int64_t shape[SPEC_MAX_SHAPE]);

#endif
