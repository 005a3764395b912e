/* A block of attention for a few queries, which reads K and V in place. */
#ifndef IFN_ATTENTION_TILE_H
#define IFN_ATTENTION_TILE_H

#include "attention_pass.h"

typedef struct attention_kernels {
    void (*score)(attention_pass *p, int first, int64_t block);
    void (*accumulate)(attention_pass *p, int first, int64_t block, int64_t c, int64_t n,
                       float (*out)[TILE_COMPONENTS]);
} attention_kernels;

/* The kernels for n_q = 1, 2 or 4 queries. */
attention_kernels IFN_KERNEL(attention_tiles)(ifn_dtype dtype, int n_q);

#endif
