/*
 * A block of attention for a few queries: the queries of a tile share every load of K and V, which are
 * read in place. The order of sums: attention_pass.h.
 */
#include "attention_tile.h"

enum {
    QUERIES = 4,                             /* of a tile, at most */
    TILE_KEYS = VEC_REGISTERS == 32 ? 4 : 2, /* of a tile of scores */
    FETCH_AHEAD = 2048, /* bytes, by measurement: further than the hardware prefetcher looks */
    ACCUMULATORS = VEC_REGISTERS / 2, /* most accumulators of a tile of values, in registers */
    BLOCK = 32,                       /* components at a time: a block of Q8_0 */
    COMMON_DIM = 128, /* a head_dim for which loops are compiled with it as a constant */
    SUMS = 4          /* arguments of vf_sum4; those beyond TILE_KEYS are not used */
};

/*
 * Reads `bytes` bytes from end to end, a byte of each cache line. The hardware prefetcher follows such a
 * sweep, but not tiles, which read some rows side by side or a part of each. Measured with f32 and 512
 * keys: 0.7 of the time from memory, 1.1 from L2. The first tile of a pass sweeps for all tiles.
 */
IFN_INLINE void sweep(const unsigned char *rows, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE_BYTES)
        (void)*(const volatile unsigned char *)(rows + i);
}

/*
 * Prefetches the rows that follow soon into L1: with few queries, a tile has too little work to hide the
 * latency of memory. Sapphire Rapids, one row, 4096 keys from memory, without and with it:
 * f32 2.99 ms and 2.75, f16 2.02 and 1.72, q8_0 1.51 and 1.10.
 */
IFN_INLINE void fetch_ahead(const unsigned char *rows, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE_BYTES)
        __builtin_prefetch(rows + FETCH_AHEAD + i);
}

/* All functions are inlined, so that dtype and the numbers of queries and keys become constants. */

/* Adds the products of `vectors` vectors of n components from c on: a whole block, or one vector of floats. */
IFN_INLINE void score_step(ifn_dtype dtype, int n_q, int n_k, const float *const *q,
                           const unsigned char *k, size_t row_bytes, int64_t c, int vectors, int n,
                           vf acc[QUERIES][SUMS])
{
    vf scale[TILE_KEYS];
    k += attention_offset(dtype, c);
    for (int j = 0; j < n_k; j++)
        scale[j] = attention_scale(dtype, k + (size_t)j * row_bytes);
    for (int v = 0; v < vectors * VL; v += VL) {
        vf key[TILE_KEYS];
        for (int j = 0; j < n_k; j++)
            key[j] = attention_load_in(dtype, k + (size_t)j * row_bytes, v, n, scale[j]);
        for (int i = 0; i < n_q; i++) {
            const vf query = vf_get(q[i] + c + v, n);
            for (int j = 0; j < n_k; j++)
                acc[i][j] = vf_fma(query, key[j], acc[i][j]);
        }
    }
}

/* Computes unscaled scores of n_q queries with the n_k keys whose rows begin at k. */
IFN_SPECIALIZED void score_tile(ifn_dtype dtype, int n_q, int n_k, int64_t head_dim,
                                size_t row_bytes, const float *const *q, const unsigned char *k,
                                float *const *score)
{
    vf acc[QUERIES][SUMS];
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            acc[i][j] = vf_zero();
    int64_t c = 0;
    for (; c + BLOCK <= head_dim; c += BLOCK)
        score_step(dtype, n_q, n_k, q, k, row_bytes, c, BLOCK / VL, VL, acc);
    for (; dtype != IFN_DTYPE_Q8_0 && c + VL <= head_dim; c += VL)
        score_step(dtype, n_q, n_k, q, k, row_bytes, c, 1, VL, acc);
    if (dtype != IFN_DTYPE_Q8_0 && c < head_dim)
        score_step(dtype, n_q, n_k, q, k, row_bytes, c, 1, (int)(head_dim - c), acc);
    for (int i = 0; i < n_q; i++) {
        if (n_k == 4)
            vf_sum4(score[i], acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
        else
            for (int j = 0; j < n_k; j++)
                score[i][j] = vf_sum(acc[i][j]);
    }
}

/* Computes scores of n_q queries with keys [from, to) of a block, all in one page, whose rows begin at k. */
IFN_INLINE void score_page(ifn_dtype dtype, int n_q, attention_pass *p, int first, int64_t head_dim,
                           const unsigned char *k, int64_t from, int64_t to)
{
    const size_t row_bytes = p->cache.row_bytes;
    float *score[QUERIES];
    for (int i = 0; i < n_q; i++)
        score[i] = p->weight[first + i] + from;
    for (int64_t t = from, n; t < to; t += n) {
        n = to - t >= TILE_KEYS ? TILE_KEYS : 1;
        if (first == 0) {
            fetch_ahead(k, (size_t)n * row_bytes);
            sweep(k, (size_t)n * row_bytes);
        }
        if (n == TILE_KEYS)
            score_tile(dtype, n_q, TILE_KEYS, head_dim, row_bytes, p->q + first, k, score);
        else
            score_tile(dtype, n_q, 1, head_dim, row_bytes, p->q + first, k, score);
        k += (size_t)n * row_bytes;
        for (int i = 0; i < n_q; i++)
            score[i] += n;
    }
}

/* Computes the scores of n_q queries of the pass, from `first` on. */
IFN_INLINE void score_tiles(ifn_dtype dtype, int n_q, attention_pass *p, int first, int64_t block)
{
    const attention_cache *const cache = &p->cache;
    const int64_t n_keys = attention_keys_seen(p, first, n_q).end;
    for (int64_t t = 0, to; t < n_keys; t = to) {
        const unsigned char *const k = attention_rows(cache, cache->k, block, t);
        to = attention_page_end(cache, t, n_keys);
        if (dtype != IFN_DTYPE_F32 && cache->head_dim == COMMON_DIM)
            score_page(dtype, n_q, p, first, COMMON_DIM, k, t, to);
        else
            score_page(dtype, n_q, p, first, cache->head_dim, k, t, to);
    }
    for (int j = first; j < first + n_q; j++) {
        float *const score = p->weight[j]; /* +0 for either zero */
        IFN_MAP(score, ((ifn_range){0, n_keys}),
                vf_add(vf_mul(vf_set(cache->scale), vf_get(score + i, n)), vf_zero()));
    }
}

/* Loads n_v vectors of n components from c on, a multiple of n_v VL: whole blocks, or a part of one. */
IFN_INLINE void load_values(ifn_dtype dtype, const unsigned char *v, int64_t c, int n_v, int n,
                            vf value[TILE_VECTORS])
{
    const int64_t in_block = n_v * VL % BLOCK ? c % BLOCK : 0;
    const int each = n_v * VL < BLOCK ? n_v : BLOCK / VL;
    for (int j = 0; j < n_v; j += each) {
        const unsigned char *const block =
            v + attention_offset(dtype, c - in_block) + attention_offset(dtype, j * VL);
        const vf scale = attention_scale(dtype, block);
        for (int i = 0; i < each; i++)
            value[j + i] = attention_load_in(dtype, block, in_block + i * VL, n, scale);
    }
}

/* acc += weight[t] v[t] in components from c on, for queries [i0, i1) and keys [t0, t1) ascending, all in
 * one page, whose rows begin at v. Sweeps each row from byte `from` on, and prefetches `fetched` bytes per
 * row. */
IFN_INLINE void accumulate_page(ifn_dtype dtype, int i0, int i1, const unsigned char *v,
                                size_t row_bytes, int64_t t0, int64_t t1, int64_t c, int n_v, int n,
                                size_t from, size_t fetched, float (*weights)[KEYS],
                                vf acc[QUERIES][TILE_VECTORS])
{
    for (int64_t t = t0; t < t1; t++, v += row_bytes) {
        vf value[TILE_VECTORS];
        load_values(dtype, v, c, n_v, n, value);
        fetch_ahead(v, fetched);
        sweep(v + from, row_bytes - from);
        for (int i = i0; i < i1; i++) {
            const vf weight = vf_set(weights[i][t]);
            for (int j = 0; j < n_v; j++)
                acc[i][j] = vf_fma(weight, value[j], acc[i][j]);
        }
    }
}

/* The same over all pages of a block. */
IFN_INLINE void accumulate_keys(ifn_dtype dtype, int i0, int i1, const attention_cache *cache,
                                int64_t block, int64_t t0, int64_t t1, int64_t c, int n_v, int n,
                                size_t from, size_t fetched, float (*weights)[KEYS],
                                vf acc[QUERIES][TILE_VECTORS])
{
    for (int64_t t = t0, to; t < t1; t = to) {
        to = attention_page_end(cache, t, t1);
        accumulate_page(dtype, i0, i1, attention_rows(cache, cache->v, block, t), cache->row_bytes,
                        t, to, c, n_v, n, from, fetched, weights, acc);
    }
}

/* Accumulates n_v vectors of n components from c on: first over the keys that all queries see, then over
 * the remaining keys of each query. */
IFN_SPECIALIZED void accumulate_tile(ifn_dtype dtype, int n_q, attention_pass *p, int first,
                                     int64_t block, int64_t c, int n_v, int n,
                                     float (*out)[TILE_COMPONENTS])
{
    const size_t row_bytes = p->cache.row_bytes;
    float(*const weights)[KEYS] = p->weight + first;
    const int64_t shared = attention_keys_seen(p, first, n_q).begin;
    vf acc[QUERIES][TILE_VECTORS];
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_v; j++)
            acc[i][j] = vf_zero();
    const int64_t head_dim = p->cache.head_dim;
    const int sweeps = first == 0 && c == 0 && n_v * VL < head_dim;
    const size_t fetched = first == 0 && c == 0 ? row_bytes : 0;
    const size_t from = sweeps ? row_bytes * (size_t)(n_v * VL) / (size_t)head_dim : row_bytes;
    accumulate_keys(dtype, 0, n_q, &p->cache, block, 0, shared, c, n_v, n, from, fetched, weights,
                    acc);
    for (int i = 0; i < n_q; i++) {
        accumulate_keys(dtype, i, i + 1, &p->cache, block, shared, p->n[first + i], c, n_v, n,
                        row_bytes, 0, weights, acc);
        for (int j = 0; j < n_v; j++)
            vf_put(out[i] + j * VL, acc[i][j], n);
    }
}

/* Accumulates those of components [c, c + n) that fill tiles of n_v vectors; returns how many. */
IFN_INLINE int64_t accumulate_wide(ifn_dtype dtype, int n_q, attention_pass *p, int first,
                                   int64_t block, int64_t c, int64_t n, int n_v,
                                   float (*out)[TILE_COMPONENTS])
{
    int64_t i = 0;
    if (n_q * n_v <= ACCUMULATORS)
        for (; i + n_v * VL <= n; i += n_v * VL)
            accumulate_tile(dtype, n_q, p, first, block, c + i, n_v, VL,
                            (float(*)[TILE_COMPONENTS])(void *)(*out + i));
    return i;
}

/* Computes components [c, c + n) of the accumulators, n at most TILE_COMPONENTS. */
IFN_INLINE void accumulate_tiles(ifn_dtype dtype, int n_q, attention_pass *p, int first,
                                 int64_t block, int64_t c, int64_t n, float (*out)[TILE_COMPONENTS])
{
    int64_t i = 0;
#define WIDE(n_v)                                                                                  \
    i += accumulate_wide(dtype, n_q, p, first, block, c + i, n - i, n_v,                           \
                         (float(*)[TILE_COMPONENTS])(void *)(*out + i));
    WIDE(TILE_VECTORS)
    WIDE(TILE_VECTORS / 2)
    WIDE(TILE_VECTORS / 4)
#undef WIDE
    for (; i < n; i += VL)
        accumulate_tile(dtype, n_q, p, first, block, c + i, 1, (int)(n - i < VL ? n - i : VL),
                        (float(*)[TILE_COMPONENTS])(void *)(*out + i));
}

/* Functions for each cache dtype and number of queries: score_F32_4, accumulate_F32_4, ... */
#define FOR_COUNT(DTYPE, N)                                                                        \
    static void score_##DTYPE##_##N(attention_pass *p, int first, int64_t block)                   \
    {                                                                                              \
        score_tiles(IFN_DTYPE_##DTYPE, N, p, first, block);                                        \
    }                                                                                              \
    static void accumulate_##DTYPE##_##N(attention_pass *p, int first, int64_t block, int64_t c,   \
                                         int64_t n, float(*out)[TILE_COMPONENTS])                  \
    {                                                                                              \
        accumulate_tiles(IFN_DTYPE_##DTYPE, N, p, first, block, c, n, out);                        \
    }
#define FOR_DTYPE(DTYPE)                                                                           \
    FOR_COUNT(DTYPE, 1)                                                                            \
    FOR_COUNT(DTYPE, 2)                                                                            \
    FOR_COUNT(DTYPE, 4)
FOR_DTYPE(F32)
FOR_DTYPE(F16)
FOR_DTYPE(Q8_0)

#define KERNELS(DTYPE, N) ((attention_kernels){score_##DTYPE##_##N, accumulate_##DTYPE##_##N})
#define KERNELS_OF(DTYPE, n)                                                                       \
    ((n) == 4 ? KERNELS(DTYPE, 4) : (n) == 2 ? KERNELS(DTYPE, 2) : KERNELS(DTYPE, 1))

attention_kernels IFN_KERNEL(attention_tiles)(ifn_dtype dtype, int n_q)
{
    if (dtype == IFN_DTYPE_F32)
        return KERNELS_OF(F32, n_q);
    if (dtype == IFN_DTYPE_F16)
        return KERNELS_OF(F16, n_q);
    return KERNELS_OF(Q8_0, n_q);
}
