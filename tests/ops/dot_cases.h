/* Tests that every inner product of a weight format with Q8_32F must pass. */
#ifndef IFN_DOT_CASES_H
#define IFN_DOT_CASES_H

#include "op_weights.h"

typedef struct dot_format {
    ifn_dtype dtype;
    float (*dot)(const void *w, const ifn_block_q8_32f *x, int64_t n);
    /* A block worked out by hand: the activations it is multiplied by, and the product. */
    const void *block;
    const ifn_block_q8_32f *x;
    float product;
} dot_format;

/* The test program of one format; returns what main returns. */
int dot_test(const dot_format *format);

#endif
