/*
 * A packed weight of bf16 as tile registers take it. A panel has PAIR_COLUMNS columns, [pairs of k][PAIR_COLUMNS][2]; zeros
 * fill the last panel and the last PAIR_K elements of k. After all panels, the exponents of their least nonzero elements.
 */
#ifndef IFN_SIMD_BF16_PAIRS_H
#define IFN_SIMD_BF16_PAIRS_H

#include "gemm_product.h"

enum {
    PAIR_K = 32,
    PAIR_COLUMNS = 32,
    LEAST_EXPONENT =
        -126 + 23, /* of a float that three bf16 hold (gemm_slices.h), none of them a subnormal */
    NO_EXPONENT = -1000 /* of a smaller one */
};

/* The exponent of a number whose upper 16 bits, without the sign, are `size`. */
static inline int bf16_exponent(int size)
{
    const int exponent = (size >> 7) - 127;
    return exponent < LEAST_EXPONENT ? NO_EXPONENT : exponent;
}

/* Elements of a row of a panel, including zeros. */
static inline int64_t pair_padded(int64_t k)
{
    return rounded_up(k, PAIR_K);
}

typedef struct packed_pairs {
    gemm_source source; /* first; decodes what few elements of k need */
    const uint16_t *panels;
    const int32_t *exponents;
} packed_pairs;

packed_pairs IFN_KERNEL(packed_pairs)(const ifn_tensor *w, const void *packed);

/* Packs elements [k, k + n_k) of rows row .. of a weight, which are columns of a panel; k is a multiple of PAIR_K. Returns
 * the exponent of the least nonzero one. */
int IFN_KERNEL(pack_pairs)(const ifn_tensor *w, int64_t row, int64_t k, int64_t n_k,
                           uint16_t *panel);

/* BF16 in pairs; all others as `weaker` levels pack them. */
extern const ifn_simd_packing IFN_KERNEL(pair_packing);

#endif
