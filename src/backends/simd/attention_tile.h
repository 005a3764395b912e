/*
 * attention of a few queries at once: those that read the same KV head share every load of K and V.
 *
 * For each block of 256 absolute positions: scores (a dot product has VL partial sums, added as a
 * tree), their maximum, exponentials and their sum (one chain of VL lanes), then the accumulator,
 * one chain for each component over ascending keys. Blocks merge in ascending order. None of this
 * depends on how many queries there are, so one query alone has the same bits (R2, R3, R8).
 *
 * Depth: head_dim / VL + log2 VL + 1 for a score, 256 + ceil(T / 256) for the sum over T keys.
 */
#ifndef IFN_ATTENTION_TILE_H
#define IFN_ATTENTION_TILE_H

#include "dequantize_row.h"
#include "level.h"
#include "row_sums.h"
#include "vec_math.h"

enum {
    KEYS = IFN_ATTENTION_BLOCK,
    QUERIES = 4,                             /* of a tile, at most */
    TILE_KEYS = VEC_REGISTERS == 32 ? 4 : 2, /* of a tile of scores */
    SUMS = 4, /* what vf_sum4 takes; those beyond TILE_KEYS are not used */
    TILE_VECTORS = VEC_REGISTERS == 32 ? 4 : 2,
    TILE_COMPONENTS = TILE_VECTORS * VL /* of a tile of accumulators */
};

/* What is true of all queries of a tile. */
typedef struct attention_cache {
    const unsigned char *k, *v; /* the rows of one KV head, position 0 first */
    size_t row_bytes;
    int64_t head_dim;
    float scale;
} attention_cache;

typedef struct attention_block {
    int64_t n[QUERIES]; /* visible keys */
    float max[QUERIES], sum[QUERIES];
    float weight[QUERIES][KEYS]; /* e^(score - max); while they are formed, the scores */
} attention_block;

/* Everything is inlined: dtype and the numbers of queries and keys are to be constants. */

/* Components c .. c + n - 1 of a cache row, n == VL wherever blocks have several elements. */
IFN_INLINE vf cache_load(ifn_dtype dtype, const unsigned char *row, int64_t c, int n)
{
    if (dtype == IFN_DTYPE_F32)
        return vf_get((const float *)(const void *)row + c, n);
    if (dtype == IFN_DTYPE_F16) {
        const uint16_t *const p = (const uint16_t *)(const void *)row + c;
        return n == VL ? vf_load_f16(p) : vf_load_f16_n(p, n);
    }
    const unsigned char *const block = row + c / 32 * (int64_t)sizeof(ifn_block_q8_0);
    const int8_t *const codes = (const int8_t *)block + offsetof(ifn_block_q8_0, qs) + c % 32;
    const float d = ifn_load_scale(block + offsetof(ifn_block_q8_0, d));
    return vf_mul(vi_convert(vi_load_i8(codes)), vf_set(d));
}

IFN_INLINE void score_step(ifn_dtype dtype, int n_q, int n_k, const float *const *q,
                           const unsigned char *k, size_t row_bytes, int64_t c, int n,
                           vf acc[QUERIES][SUMS])
{
    vf key[TILE_KEYS];
    for (int j = 0; j < n_k; j++)
        key[j] = cache_load(dtype, k + (size_t)j * row_bytes, c, n);
    for (int i = 0; i < n_q; i++) {
        const vf query = vf_get(q[i] + c, n);
        for (int j = 0; j < n_k; j++)
            acc[i][j] = vf_fma(query, key[j], acc[i][j]);
    }
}

/* Scores of n_q queries with the n_k keys from `first` on. */
IFN_INLINE void score_tile(ifn_dtype dtype, int n_q, int n_k, const attention_cache *cache,
                           const float *const *q, int64_t block, int64_t first,
                           attention_block *out)
{
    const unsigned char *const k = cache->k + (size_t)(block * KEYS + first) * cache->row_bytes;
    vf acc[QUERIES][SUMS];
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            acc[i][j] = vf_zero();
    int64_t c = 0;
    for (; c + VL <= cache->head_dim; c += VL)
        score_step(dtype, n_q, n_k, q, k, cache->row_bytes, c, VL, acc);
    if (c < cache->head_dim)
        score_step(dtype, n_q, n_k, q, k, cache->row_bytes, c, (int)(cache->head_dim - c), acc);
    for (int i = 0; i < n_q; i++) {
        float *const score = out->weight[i] + first;
        if (n_k == 4)
            vf_sum4(score, acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
        else
            for (int j = 0; j < n_k; j++)
                score[j] = vf_sum(acc[i][j]);
        for (int j = 0; j < n_k; j++)
            score[j] *= cache->scale;
    }
}

/* e^(score - max), and exactly 0 for a score of -inf even where the maximum is -inf as well. */
static inline vf weigh(vf score, vf max)
{
    const vf nothing = vf_set(-INFINITY);
    return vf_select(vf_equal(score, nothing), vf_zero(), vf_exp(vf_sub(score, max)));
}

static inline float weigh_one(float score, float max)
{
    return vf_first(weigh(vf_set(score), vf_set(max)));
}

/* Scores become weights; the maximum and the sum are kept. */
static inline void weigh_row(attention_block *b, int i)
{
    float *const w = b->weight[i];
    const int64_t n_keys = b->n[i];
    b->max[i] = row_max(w, n_keys);
    const vf max = vf_set(b->max[i]);
    vf sum = vf_zero();
    int64_t t = 0;
    for (; t + VL <= n_keys; t += VL) {
        const vf e = weigh(vf_load(w + t), max);
        vf_store(w + t, e);
        sum = vf_add(sum, e);
    }
    if (t < n_keys) {
        const int n = (int)(n_keys - t);
        const vf e = vf_select(vm_first(n), weigh(vf_load_n(w + t, n), max), vf_zero());
        vf_store_n(w + t, e, n);
        sum = vf_add(sum, e);
    }
    b->sum[i] = vf_sum(sum);
}

/* Maximum, sum and weights of one block for n_q queries; b->n says how many keys each sees. */
IFN_INLINE void weigh_block(ifn_dtype dtype, int n_q, const attention_cache *cache,
                            const float *const *q, int64_t block, attention_block *b)
{
    int64_t n_keys = 0;
    for (int i = 0; i < n_q; i++)
        n_keys = b->n[i] > n_keys ? b->n[i] : n_keys;
    int64_t t = 0;
    for (; t + TILE_KEYS <= n_keys; t += TILE_KEYS)
        score_tile(dtype, n_q, TILE_KEYS, cache, q, block, t, b);
    for (; t < n_keys; t++)
        score_tile(dtype, n_q, 1, cache, q, block, t, b);
    for (int i = 0; i < n_q; i++)
        weigh_row(b, i);
}

/* acc += weight[t] v[t] of components c .. for queries [i0, i1), keys [t0, t1) ascending. */
IFN_INLINE void accumulate_keys(ifn_dtype dtype, int i0, int i1, const unsigned char *v,
                                size_t row_bytes, int64_t t0, int64_t t1, int64_t c, int n_v, int n,
                                const attention_block *b, vf acc[QUERIES][TILE_VECTORS])
{
    for (int64_t t = t0; t < t1; t++) {
        vf value[TILE_VECTORS];
        for (int j = 0; j < n_v; j++)
            value[j] = cache_load(dtype, v + (size_t)t * row_bytes, c + j * VL, n);
        for (int i = i0; i < i1; i++) {
            const vf weight = vf_set(b->weight[i][t]);
            for (int j = 0; j < n_v; j++)
                acc[i][j] = vf_fma(weight, value[j], acc[i][j]);
        }
    }
}

/* n_v vectors of n components from c on; keys that some queries do not see are left to the others.
 */
IFN_INLINE void accumulate_tile(ifn_dtype dtype, int n_q, const attention_cache *cache,
                                int64_t block, int64_t c, int n_v, int n, const attention_block *b,
                                float (*out)[TILE_COMPONENTS])
{
    const unsigned char *const v = cache->v + (size_t)(block * KEYS) * cache->row_bytes;
    vf acc[QUERIES][TILE_VECTORS];
    int64_t shared = b->n[0];
    for (int i = 0; i < n_q; i++) {
        shared = b->n[i] < shared ? b->n[i] : shared;
        for (int j = 0; j < n_v; j++)
            acc[i][j] = vf_zero();
    }
    accumulate_keys(dtype, 0, n_q, v, cache->row_bytes, 0, shared, c, n_v, n, b, acc);
    for (int i = 0; i < n_q; i++) {
        accumulate_keys(dtype, i, i + 1, v, cache->row_bytes, shared, b->n[i], c, n_v, n, b, acc);
        for (int j = 0; j < n_v; j++)
            vf_put(out[i] + j * VL, acc[i][j], n);
    }
}

/* Components c .. of the accumulators of one block; returns how many. */
IFN_INLINE int64_t accumulate(ifn_dtype dtype, int n_q, const attention_cache *cache, int64_t block,
                              int64_t c, const attention_block *b, float (*out)[TILE_COMPONENTS])
{
    const int64_t left = cache->head_dim - c;
    if (left >= TILE_COMPONENTS) {
        accumulate_tile(dtype, n_q, cache, block, c, TILE_VECTORS, VL, b, out);
        return TILE_COMPONENTS;
    }
    const int n = left < VL ? (int)left : VL;
    accumulate_tile(dtype, n_q, cache, block, c, 1, n, b, out);
    return n;
}

#endif
