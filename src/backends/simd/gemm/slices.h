/* Splits floats into slices (gemm_slices.h), as tile registers and as vectors take them. */
#ifndef IFN_SIMD_SLICES_H
#define IFN_SIMD_SLICES_H

#include <float.h>

#include "bf16_pairs.h"
#include "f16.h"
#include "map.h"
#include "vec_vocabulary.h"

enum {
    SLICES = 3,
    SLICE_K = PAIR_K, /* elements of k in a tile */
    SLICE_TILE = 16,  /* rows, or columns, of a tile */
    SLICE_SIZE = SLICE_K * SLICE_TILE,
    /* The tiles lose nothing below 2^-126 if the exponents of the least nonzero element of a row and of the columns add
     * up to EXPONENTS: the last bit of a float lies 23 below its exponent, that of a bf16 7. */
    EXPONENTS = -126 + 23 + 7,
};

static inline vf slice_of(vf x)
{
    return vi_floats(vi_and(vf_bits(x), vi_set((int32_t)0xffff0000)));
}

/* The larger of `former` and -|x|, or the former if x is 0: in the end, minus the least nonzero |x|. */
static inline vf nearer_to_zero(vf former, vf x)
{
    const vf minus = vi_floats(vi_or(vf_bits(x), vi_set(INT32_MIN)));
    return vf_max(former, vf_select(vf_equal(x, vf_zero()), vf_set(-FLT_MAX), minus));
}

/* The exponent of what nearer_to_zero gave, in the lanes together. */
static inline int least_exponent(vf nearest)
{
    const float least = -vf_max_lanes(nearest);
    int32_t bits;
    memcpy(&bits, &least, sizeof bits);
    return bf16_exponent(bits >> 16);
}

/*
 * Splits k elements of each of n rows, n <= SLICE_TILE, into [steps of k][SLICES] tiles, the last slice first; what is
 * beyond n or k counts as 0. exponent[r] becomes that of the least nonzero element of row r.
 */
static inline void slice_rows(const float *a, int64_t stride, int64_t n, int64_t k, uint16_t *to,
                              int *exponent)
{
    vf nearest[SLICE_TILE];
    for (int r = 0; r < SLICE_TILE; r++)
        nearest[r] = vf_set(-FLT_MAX);
    for (int64_t i = 0; i < k; i += SLICE_K, to += (int64_t)SLICES * SLICE_SIZE)
        for (int r = 0; r < SLICE_TILE; r++) {
            const float *const row = a + (r < n ? r : 0) * stride + i;
            const int64_t left = r < n ? k - i : 0;
            for (int v = 0; v < SLICE_K; v += VL) {
                vf x = vf_get(row + (left > v ? v : 0), left >= v + VL ? VL
                                                        : left > v     ? (int)(left - v)
                                                                       : 0);
                nearest[r] = nearer_to_zero(nearest[r], x);
                for (int s = SLICES - 1; s >= 0; s--) {
                    vf_store_upper(to + s * SLICE_SIZE + r * SLICE_K + v, x);
                    x = vf_sub(x, slice_of(x));
                }
            }
        }
    for (int r = 0; r < SLICE_TILE; r++)
        exponent[r] = least_exponent(nearest[r]);
}

/* Splits k elements of a row into slices that are floats, the last first, with zeros up to whole tiles. That slice is all
 * that is left, of a subnormal too. */
static inline void slice_row(const float *a, int64_t k, float *const *x)
{
    for (int64_t i = 0; i < pair_padded(k); i += VL) {
        const int64_t left = i < k ? k - i : 0;
        const vf all = vf_get(a + (left ? i : 0), left < VL ? (int)left : VL),
                 first = slice_of(all), rest = vf_sub(all, first), second = slice_of(rest);
        vf_store(x[2] + i, first);
        vf_store(x[1] + i, second);
        vf_store(x[0] + i, vf_sub(rest, second));
    }
}

/*
 * What a tile adds, of one row and two vectors of columns, in vectors: the bits are the same, but subnormals count. sums[0]
 * and sums[1] += the products of SLICE_K elements; x[s] are the slices of the row, b pairs of a panel (bf16_pairs.h), of
 * which those `ahead` elements further are prefetched.
 */
IFN_INLINE void slice_products(const float *const *x, const uint16_t *b, int64_t ahead, vf sums[2])
{
    vf even[2][SLICES], odd[2][SLICES];
    for (int s = 0; s < SLICES; s++)
        even[0][s] = odd[0][s] = even[1][s] = odd[1][s] = vf_zero();
    for (int k = 0; k < SLICE_K; k += 2, b += 2 * PAIR_COLUMNS) {
        for (int i = 0; i < 2 * PAIR_COLUMNS; i += LINE_BYTES / (int)sizeof *b)
            ifn_fetch_line(FETCH_L1, b + ahead + i);
        IFN_UNROLL
        for (int v = 0; v < 2; v++) {
            const vi pairs = vi_load((const int32_t *)(const void *)(b + v * 2 * VL));
            const vf low = vi_floats(vi_shl(pairs, 16)), high = slice_of(vi_floats(pairs));
            IFN_UNROLL
            for (int s = 0; s < SLICES; s++) {
                even[v][s] = vf_fma(vf_set(x[s][k]), low, even[v][s]);
                odd[v][s] = vf_fma(vf_set(x[s][k + 1]), high, odd[v][s]);
            }
        }
    }
    for (int v = 0; v < 2; v++)
        for (int s = 0; s < SLICES; s++)
            sums[v] = vf_add(sums[v], vf_add(even[v][s], odd[v][s]));
}

#endif
