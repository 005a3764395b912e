/* Helpers of attention that scalar and simd share: blocks of keys, partials, checks of shapes. */
#ifndef IFN_ATTENTION_SCALAR_H
#define IFN_ATTENTION_SCALAR_H

#include <inferno/spans.h>

#include "scalar.h"

/* How many blocks hold the keys 0 .. n - 1. */
static inline int64_t ifn_scalar_attention_blocks(int64_t n)
{
    return n / IFN_ATTENTION_BLOCK + (n % IFN_ATTENTION_BLOCK != 0);
}

/* The keys of a block that the row at `pos` sees; none if all of them come after it. */
static inline ifn_range ifn_scalar_visible_keys(int64_t block, int64_t pos)
{
    const int64_t begin = block * IFN_ATTENTION_BLOCK, all = begin + IFN_ATTENTION_BLOCK;
    const int64_t end = pos + 1 < all ? pos + 1 : all;
    return (ifn_range){begin, end > begin ? end : begin};
}

/* The triple (max, sum, accumulator) of a block. */
static inline float *ifn_scalar_partial_at(const ifn_attention_args *a, int64_t row, int64_t head,
                                           int64_t block)
{
    const int64_t n_blocks = ifn_scalar_attention_blocks(a->first_pos + a->rows);
    return a->partials + ((row * a->n_heads + head) * n_blocks + block) * (2 + a->head_dim);
}

/* Whether a cache is legal for attention and kv_store. */
static inline int ifn_scalar_cache_fits(ifn_dtype dtype, int64_t rows, int64_t first_pos,
                                        int64_t max_pos, int64_t head_dim)
{
    return (dtype == IFN_DTYPE_F32 || dtype == IFN_DTYPE_F16 || dtype == IFN_DTYPE_Q8_0) &&
           rows >= 0 && first_pos >= 0 && max_pos >= first_pos && rows <= max_pos - first_pos &&
           head_dim >= 0 && head_dim % ifn_dtype_block_elements(dtype) == 0;
}

static inline int ifn_scalar_attention_fits(const ifn_attention_args *a)
{
    return ifn_scalar_cache_fits(a->cache_dtype, a->rows, a->first_pos, a->max_pos, a->head_dim) &&
           ifn_pages_fit(a->pages, a->n_pages, a->page_rows, a->max_pos, a->first_pos + a->rows) &&
           a->n_heads >= 0 && a->n_kv_heads >= (a->n_heads > 0) &&
           (a->n_heads == 0 || a->n_heads % a->n_kv_heads == 0) &&
           a->phase >= IFN_ATTENTION_WHOLE && a->phase <= IFN_ATTENTION_MERGE;
}

#endif
