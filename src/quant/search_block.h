/* Scales of a block of 32, where errors have weights: the pinned encoders of numerics 8.2 have none. */
#ifndef IFN_SEARCH_BLOCK_H
#define IFN_SEARCH_BLOCK_H

#include "minimum.h"

/* The f16 scale for codes -zero .. zero - 1 of the least sum of squared errors, each times its
 * weight; that of the pinned encoder is among those that are tried. NaN: no scale does better than what that
 * encoder does without one. */
uint16_t ifn_search_scale(const float x[32], const float w[32], int zero);

/* The same with a minimum, for codes 0 .. steps. */
ifn_minimum_scale ifn_search_minimum(const float x[32], const float w[32], int steps);

/* Defines ifn_weighted_rows_NAME from a file's encode_weighted. */
#define IFN_DEFINE_WEIGHTED_ROWS(NAME, block_type)                                                 \
    void ifn_weighted_rows_##NAME(const float *x, const float *weights, void *out,                 \
                                  int64_t n_blocks)                                                \
    {                                                                                              \
        for (int64_t i = 0; i < n_blocks; i++) {                                                   \
            block_type block;                                                                      \
            encode_weighted(x + 32 * i, weights + 32 * i, &block);                                 \
            memcpy((uint8_t *)out + (size_t)i * sizeof block, &block, sizeof block);               \
        }                                                                                          \
    }

#endif
