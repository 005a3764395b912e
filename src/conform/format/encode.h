/* The pinned quantizers (numerics 8.2, 8.3): those with one right answer. Each step is computed in f64 and rounded to
 * f32. */
#ifndef CONFORM_ENCODE_H
#define CONFORM_ENCODE_H

#include <stdint.h>

#include <inferno/dtype.h>

/* 1 for F32, F16, BF16 and blocks of 32: one right answer, byte for byte. */
int conform_is_pinned(ifn_dtype dtype);

/*
 * Encodes one row to a pinned dtype. `mask`, as long as `out`, gets a 1 for every bit that is pinned: all but
 * sign and payload of a NaN in F16 and BF16.
 */
void conform_encode_row(ifn_dtype dtype, const float *x, int64_t cols, void *out, void *mask);

#endif
