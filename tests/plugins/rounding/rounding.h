/* Arithmetic of fewer bits, in software: rounded to nearest, ties to even. */
#ifndef ROUNDING_H
#define ROUNDING_H

#include <inferno/backend.h>

/* One of IFN_ROUND_*. */
double round_to(uint32_t format, double x);

/* A sum as ifn_arithmetic says, term by term. */
typedef struct short_sum {
    const ifn_arithmetic *a;
    double total, block;
    uint32_t n; /* terms in `block` */
} short_sum;

/* Factors are rounded here. */
void short_sum_add(short_sum *s, double x, double w);
/* With what is added at the end, through the output's format. */
float short_sum_end(short_sum *s, const float *bias);

#endif
