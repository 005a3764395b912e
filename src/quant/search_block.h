/* Searches the scale of a block of 32 for weighted errors; the pinned encoders of numerics 8.2 have no weights. */
#ifndef IFN_SEARCH_BLOCK_H
#define IFN_SEARCH_BLOCK_H

#include "minimum.h"

/* The f16 scale for codes -zero .. zero - 1 that minimises the sum of squared errors times their weights, out of
 * those tried; the pinned encoder's is one of them. NaN: no scale does better than that encoder does without one. */
uint16_t ifn_search_scale(const float x[32], const float w[32], int zero);

/* The same for a scale and a minimum, with codes 0 .. steps. */
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
