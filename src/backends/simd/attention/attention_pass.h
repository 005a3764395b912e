/*
 * Shared by both ways of attention (attention_tile.h: a few queries, attention_panels.h: many): the
 * queries of a pass, with the weights, maximum and sum of each over one block of keys.
 *
 * One order. For each block of 256 absolute positions: scores (a dot product has VL partial sums,
 * one for each component c mod VL, added as vf_sum adds lanes), their maximum, exponentials and
 * their sum (one chain of VL lanes), then the accumulator, one chain for each component over
 * ascending keys. Blocks merge in ascending order. None of this depends on the number of queries or on
 * which of the two ways computes them, so one query alone has the same bits (R2, R3, R8).
 *
 * Depth: head_dim / VL + log2 VL + 1 for a score, 256 + ceil(T / 256) for the sum over T keys.
 */
#ifndef IFN_ATTENTION_PASS_H
#define IFN_ATTENTION_PASS_H

#include <inferno/spans.h>

#include "dequantize_row.h"
#include "level.h"
#include "row_sums.h"
#include "vec_math.h"

enum {
    KEYS = IFN_ATTENTION_BLOCK,
    PASS = 48,        /* queries at a time: their weights and a panel of V share L1 and L2 */
    AHEAD = 12,       /* queries of the next pass that are prefetched */
    TILE_VECTORS = 8, /* vectors of an accumulator that are computed at a time */
    TILE_COMPONENTS = TILE_VECTORS * VL
};

/* The keys and values of one KV head. A block of keys is a whole number of pages; without pages the block
 * counts as one page. */
typedef struct attention_cache {
    const unsigned char *k, *v; /* row 0 of the head */
    const int32_t *pages;       /* NULL: rows lie side by side */
    int64_t page_rows;          /* KEYS without pages */
    size_t row_bytes;
    int64_t head_dim;
    float scale;
    ifn_dtype dtype;
} attention_cache;

/* Up to PASS queries that read one block of one KV head. */
typedef struct attention_pass {
    attention_cache cache;
    int n_q, n_ahead; /* n_ahead: queries with q and out set, including some of the next pass */
    const float *q[PASS + AHEAD];
    float *out[PASS + AHEAD]; /* where the accumulator goes */
    int64_t n[PASS];          /* visible keys */
    float max[PASS], sum[PASS];
    float weight[PASS][KEYS]; /* first the scores, then e^(score - max) in their place */
} attention_pass;

/* Bytes of scratch with which attention within these limits is fastest. With less, or none, the bits are
 * the same. */
size_t IFN_KERNEL(attention_scratch_bytes)(const ifn_limits *max);

/* The address of the row of key t of a block; `rows` is k or v of the cache. The rest of its page follows
 * it. */
static inline const unsigned char *
attention_rows(const attention_cache *cache, const unsigned char *rows, int64_t block, int64_t t)
{
    const int64_t pos = block * KEYS + t;
    const int64_t row = cache->pages ? ifn_page_row(cache->pages, cache->page_rows, pos) : pos;
    return rows + (size_t)row * cache->row_bytes;
}

/* The first key after t that is in another page, at most `end`. */
static inline int64_t attention_page_end(const attention_cache *cache, int64_t t, int64_t end)
{
    const int64_t next = t - t % cache->page_rows + cache->page_rows;
    return next < end ? next : end;
}

/* The offset of component c in a cache row; for a dtype with blocks, c must begin one. In this and the next
 * functions dtype must be a constant after inlining. */
IFN_INLINE size_t attention_offset(ifn_dtype dtype, int64_t c)
{
    if (dtype == IFN_DTYPE_F32)
        return (size_t)c * sizeof(float);
    if (dtype == IFN_DTYPE_F16)
        return (size_t)c * sizeof(uint16_t);
    return (size_t)c / 32 * sizeof(ifn_block_q8_0);
}

/* The scale of the codes of a block; zero, unused, for floats. */
IFN_INLINE vf attention_scale(ifn_dtype dtype, const unsigned char *block)
{
    return dtype == IFN_DTYPE_Q8_0 ? ifn_set_scale(block + offsetof(ifn_block_q8_0, d)) : vf_zero();
}

/* Components i .. i + n - 1 of `block`; n == VL if the dtype has blocks. */
IFN_INLINE vf attention_load_in(ifn_dtype dtype, const unsigned char *block, int64_t i, int n,
                                vf scale)
{
    if (dtype == IFN_DTYPE_F32)
        return vf_get((const float *)(const void *)block + i, n);
    if (dtype == IFN_DTYPE_F16) {
        const uint16_t *const p = (const uint16_t *)(const void *)block + i;
        return n == VL ? vf_load_f16(p) : vf_load_f16_n(p, n);
    }
    return vf_mul(vi_convert(vi_load_i8((const int8_t *)block + offsetof(ifn_block_q8_0, qs) + i)),
                  scale);
}

/* Components c .. c + n - 1 of a cache row. */
IFN_INLINE vf attention_load(ifn_dtype dtype, const unsigned char *row, int64_t c, int n)
{
    const unsigned char *const block = row + attention_offset(dtype, c / 32 * 32);
    return attention_load_in(dtype, block, c % 32, n, attention_scale(dtype, block));
}

/* e^(score - max), and exactly 0 for a score of -inf, even if the maximum is -inf as well. */
static inline vf attention_weigh(vf score, vf max)
{
    const vm has_none = vf_equal(max, vf_set(-INFINITY));
    return vf_exp(vf_sub(score, vf_select(has_none, vf_zero(), max)));
}

/* Turns the scores of query i into weights, and stores their maximum and sum. */
static inline void attention_weigh_row(attention_pass *p, int i)
{
    float *const w = p->weight[i];
    const int64_t n_keys = p->n[i];
    p->max[i] = row_max(w, n_keys);
    const vf max = vf_set(p->max[i]);
    vf sum = vf_zero();
    int64_t t = 0;
    for (; t + VL <= n_keys; t += VL) {
        const vf e = attention_weigh(vf_load(w + t), max);
        vf_store(w + t, e);
        sum = vf_add(sum, e);
    }
    if (t < n_keys) {
        const int n = (int)(n_keys - t);
        const vf e = vf_select(vm_first(n), attention_weigh(vf_load_n(w + t, n), max), vf_zero());
        vf_store_n(w + t, e, n);
        sum = vf_add(sum, e);
    }
    p->sum[i] = vf_sum(sum);
}

/* The fewest and the most keys that any of n queries from the i-th on sees. */
static inline ifn_range attention_keys_seen(const attention_pass *p, int i, int n)
{
    ifn_range seen = {p->n[i], p->n[i]};
    for (int j = i + 1; j < i + n; j++) {
        seen.begin = p->n[j] < seen.begin ? p->n[j] : seen.begin;
        seen.end = p->n[j] > seen.end ? p->n[j] : seen.end;
    }
    return seen;
}

#endif
