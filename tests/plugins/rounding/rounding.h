/* Arithmetic of fewer bits, in software: rounded to nearest, ties to even. */
#ifndef ROUNDING_H
#define ROUNDING_H

#include <inferno/backend.h>

/* One of IFN_ROUND_*. */
double round_to(uint32_t format, double x);

/* A sum in the arithmetic of ifn_arithmetic, one term at a time. */
typedef struct short_sum {
    const ifn_arithmetic *a;
    double total, block;
    uint32_t n; /* terms in `block` */
} short_sum;

/* Adds x w, both rounded to a->inputs first. */
void short_sum_add(short_sum *s, double x, double w);
/* The sum, plus *bias unless NULL, rounded to a->output. */
float short_sum_end(short_sum *s, const float *bias);

#endif
