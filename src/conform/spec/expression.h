/* The numbers that expressions of a spec stand for. */
#ifndef CONFORM_EXPRESSION_H
#define CONFORM_EXPRESSION_H

#include "spec.h"

/* What numbers depend on. */
typedef struct conform_scope {
    const spec_op *spec;
    const conform_case *c;
    const ifn_call *args;  /* of scalar args; NULL: none are named */
    const int64_t *counts; /* of the lines of the law that repeat; NULL: none are named */
} conform_scope;

/* Numbers are real: 1 / 2 is a half. */
double conform_number(const conform_scope *s, int term);

/* The same as a size or an index, rounded down. False: it is none of 53 bits. */
bool conform_whole(const conform_scope *s, int term, int64_t *out);

/* The shape that the spec gives a tensor, if it holds n elements: returns how many dimensions;
 * 0: it does not. */
int conform_shape_of(const spec_op *spec, const conform_case *c, const spec_arg *arg, int64_t n,
                     int64_t shape[SPEC_MAX_SHAPE]);

#endif
