/* The comparator (numerics 13): it accepts or rejects each element and counts every wrong one. */
#ifndef CONFORM_COMPARE_H
#define CONFORM_COMPARE_H

#include "truth.h"

/* The worst element of a comparison, and how many were wrong. */
typedef struct conform_result {
    int64_t n_compared, n_wrong, n_skipped;
    int64_t worst; /* index of the element with the largest ratio; -1: none compared */
    double ratio;  /* |got - want| / bound there; 0 for equal bits, INFINITY for wrong bits */
    double got, want, bound;
    int64_t first_wrong;     /* -1: none */
    int64_t n_signed;        /* elements in the sums below: those with a bound and finite values */
    double signed_error_sum; /* of (got - want) / bound: the bias detector */
    double outward_sum;      /* the same, positive where got is farther from zero */
    double signed_squares;   /* their squares */
    double lean_sum; /* of lean / bound: the one-sided part that is allowed (numerics 4.5) */
} conform_result;

/*
 * Compares one tensor. `got` is the buffer with its gaps; wrong elements are marked in `wrong`
 * ([elements], for CLASS_RAW [bytes], or NULL).
 */
void conform_compare(const conform_tensor *t, const void *got, const conform_truth *truth,
                     conform_result *out, unsigned char *wrong);

/* Compares with the output of another backend: within the sum of both bounds, or equal bits. */
void conform_compare_pair(const conform_tensor *t, const void *got, const void *other,
                          const conform_truth *truth_got, const conform_truth *truth_other,
                          conform_result *out);

/* 1 if |got - want| <= bound; if want is not finite, 1 if got is NaN or the infinity that want is. */
int conform_accept_bound(double got, double want, double bound);

/* Distance in units in the last place of f32; INT64_MAX when one is NaN. */
int64_t conform_ulp_distance(float a, float b);

/* CLASS_QUALITY: the root of the sum of squared errors over the block that holds the element. */
double conform_block_error(const conform_tensor *t, const void *got, const conform_truth *truth,
                           int64_t element);

#endif
