/* The searches that the K formats use: those of search_*.c, or faster ones with the same results. */
#ifndef IFN_SEARCH_H
#define IFN_SEARCH_H

#include <stdint.h>

#include <inferno/quant.h>

#include "quant_priv.h"
#include "search_affine.h"
#include "search_symmetric.h"

/* Blocks of 256 in one call, at most. */
enum { IFN_SEARCH_BLOCKS = 2 };

/* Functions that fit n_blocks blocks at x, with the results of ifn_search_affine and ifn_search_symmetric. */
typedef struct ifn_searches {
    void (*affine)(const float *x, int n_blocks, ifn_affine_shape shape, ifn_affine_fit *out);
    void (*symmetric)(const float *x, int n_blocks, ifn_symmetric_shape shape,
                      ifn_symmetric_fit *out);
} ifn_searches;

extern const ifn_searches ifn_plain_searches;

/* As ifn_quantize_row, but uses these searches if the dtype has one. */
ifn_status ifn_quantize_row_by(const ifn_searches *by, ifn_dtype dtype, const float *x, void *out,
                               int64_t cols);

/* One per format that also searches when there are no weights: ifn_search_rows_Q4_K, ... */
#define IFN_SEARCHED_DTYPES(X) X(Q2_K) X(Q3_K) X(Q4_K) X(Q5_K) X(Q6_K)
#define X(NAME)                                                                                    \
    void ifn_search_rows_##NAME(const ifn_searches *by, const float *x, void *out,                 \
                                int64_t n_blocks);
IFN_SEARCHED_DTYPES(X)
#undef X

/*
 * Defines ifn_search_rows_NAME, ifn_weighted_rows_NAME and ifn_quantize_NAME from a file's `shape` and `encode_block`,
 * which packs a fit of this kind: affine or symmetric.
 */
#define IFN_DEFINE_SEARCHED_ROWS(NAME, block_type, kind)                                           \
    static void put_block(const ifn_##kind##_fit *fit, void *out, int64_t i)                       \
    {                                                                                              \
        block_type block;                                                                          \
        encode_block(fit, &block);                                                                 \
        memcpy((uint8_t *)out + (size_t)i * sizeof block, &block, sizeof block);                   \
    }                                                                                              \
    void ifn_search_rows_##NAME(const ifn_searches *by, const float *x, void *out,                 \
                                int64_t n_blocks)                                                  \
    {                                                                                              \
        for (int64_t i = 0; i < n_blocks; i += IFN_SEARCH_BLOCKS) {                                \
            const int64_t left = n_blocks - i;                                                     \
            const int n = left < IFN_SEARCH_BLOCKS ? (int)left : IFN_SEARCH_BLOCKS;                \
            ifn_##kind##_fit fits[IFN_SEARCH_BLOCKS];                                              \
            by->kind(x + 256 * i, n, shape, fits);                                                 \
            for (int b = 0; b < n; b++)                                                            \
                put_block(&fits[b], out, i + b);                                                   \
        }                                                                                          \
    }                                                                                              \
    void ifn_weighted_rows_##NAME(const float *x, const float *weights, void *out,                 \
                                  int64_t n_blocks)                                                \
    {                                                                                              \
        for (int64_t i = 0; i < n_blocks; i++) {                                                   \
            ifn_##kind##_fit fit;                                                                  \
            ifn_search_##kind(x + 256 * i, weights + 256 * i, shape, &fit);                        \
            put_block(&fit, out, i);                                                               \
        }                                                                                          \
    }                                                                                              \
    void ifn_quantize_##NAME(const float *x, void *out, int64_t n_blocks)                          \
    {                                                                                              \
        ifn_search_rows_##NAME(&ifn_plain_searches, x, out, n_blocks);                             \
    }

#endif
