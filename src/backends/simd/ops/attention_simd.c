/*
 * attention: tiles of up to four queries of one KV head (attention_tile.h). WHOLE merges the blocks
 * of a tile as they come, PARTIALS stores them, MERGE reads them back: the same arithmetic.
 * 4 T head_dim operations a query and, shared by the queries of a tile, one pass over K and V.
 */
#include "attention_scalar.h"
#include "attention_tile.h"

/* Up to QUERIES (row, head) pairs of one KV head, and what their blocks so far add up to. */
typedef struct tile {
    attention_cache cache;
    int64_t pos[QUERIES];
    const float *q[QUERIES];
    float *out[QUERIES];
    float max[QUERIES], sum[QUERIES];
} tile;

/* How many keys of a block the row at `pos` sees. */
static int64_t n_visible(int64_t block, int64_t pos)
{
    const ifn_range keys = ifn_scalar_visible_keys(block, pos);
    return keys.end - keys.begin;
}

/* How much of the running values and of the block's to take: merged = keep * old + take * new. */
typedef struct merge_factors {
    float keep, take;
} merge_factors;

static merge_factors merge(float *max, float *sum, float block_max, float block_sum)
{
    const float larger = block_max > *max ? block_max : *max;
    const merge_factors f = {weigh_one(*max, larger), weigh_one(block_max, larger)};
    *max = larger;
    *sum = *sum * f.keep + block_sum * f.take;
    return f;
}

static void merge_accumulator(float *out, const float *acc, merge_factors f, int64_t n_all)
{
    IFN_MAP(out, ((ifn_range){0, n_all}),
            vf_fma(vf_get(out + i, n), vf_set(f.keep), vf_mul(vf_get(acc + i, n), vf_set(f.take))));
}

static void clear(float *out, int64_t n_all)
{
    IFN_MAP(out, ((ifn_range){0, n_all}), vf_zero());
}

static void divide(float *out, float by, int64_t n_all)
{
    IFN_MAP(out, ((ifn_range){0, n_all}), vf_div(vf_get(out + i, n), vf_set(by)));
}

IFN_INLINE void attend_block(ifn_dtype dtype, int n_q, tile *t, int64_t block)
{
    attention_block b;
    merge_factors f[QUERIES];
    for (int i = 0; i < n_q; i++)
        b.n[i] = n_visible(block, t->pos[i]);
    weigh_block(dtype, n_q, &t->cache, t->q, block, &b);
    for (int i = 0; i < n_q; i++)
        if (b.n[i] > 0)
            f[i] = merge(&t->max[i], &t->sum[i], b.max[i], b.sum[i]);
    for (int64_t c = 0, n; c < t->cache.head_dim; c += n) {
        float acc[QUERIES][TILE_COMPONENTS];
        n = accumulate(dtype, n_q, &t->cache, block, c, &b, acc);
        for (int i = 0; i < n_q; i++)
            if (b.n[i] > 0)
                merge_accumulator(t->out[i] + c, acc[i], f[i], n);
    }
}

/* Nothing visible but -inf leaves a sum of 0, and 0/0 is the NaN due. */
IFN_INLINE void attend_tile(ifn_dtype dtype, int n_q, tile *t)
{
    int64_t last = 0;
    for (int i = 0; i < n_q; i++) {
        t->max[i] = -INFINITY;
        t->sum[i] = 0.0f;
        clear(t->out[i], t->cache.head_dim);
        last = t->pos[i] > last ? t->pos[i] : last;
    }
    for (int64_t block = 0; block < ifn_scalar_attention_blocks(last + 1); block++)
        attend_block(dtype, n_q, t, block);
    for (int i = 0; i < n_q; i++)
        divide(t->out[i], t->sum[i], t->cache.head_dim);
}

/* The triples (max, sum, accumulator) of one block. */
IFN_INLINE void store_partials_of(ifn_dtype dtype, int n_q, const tile *t, int64_t block,
                                  float *const *partial)
{
    attention_block b;
    for (int i = 0; i < n_q; i++)
        b.n[i] = n_visible(block, t->pos[i]);
    weigh_block(dtype, n_q, &t->cache, t->q, block, &b);
    for (int i = 0; i < n_q; i++) {
        partial[i][0] = b.max[i];
        partial[i][1] = b.sum[i];
    }
    for (int64_t c = 0, n; c < t->cache.head_dim; c += n) {
        float acc[QUERIES][TILE_COMPONENTS];
        n = accumulate(dtype, n_q, &t->cache, block, c, &b, acc);
        for (int i = 0; i < n_q; i++)
            memcpy(partial[i] + 2 + c, acc[i], (size_t)n * sizeof **acc);
    }
}

/* Functions for each cache dtype and number of queries: attend_F32_4, store_partials_F32_4, ... */
#define FOR_QUERIES(DTYPE, N)                                                                      \
    static void attend_##DTYPE##_##N(tile *t)                                                      \
    {                                                                                              \
        attend_tile(IFN_DTYPE_##DTYPE, N, t);                                                      \
    }                                                                                              \
    static void store_partials_##DTYPE##_##N(const tile *t, int64_t block, float *const *partial)  \
    {                                                                                              \
        store_partials_of(IFN_DTYPE_##DTYPE, N, t, block, partial);                                \
    }
#define FOR_DTYPE(DTYPE)                                                                           \
    FOR_QUERIES(DTYPE, 1)                                                                          \
    FOR_QUERIES(DTYPE, 2)                                                                          \
    FOR_QUERIES(DTYPE, 4)
FOR_DTYPE(F32)
FOR_DTYPE(F16)
FOR_DTYPE(Q8_0)

typedef struct kernels {
    void (*attend)(tile *t);
    void (*store_partials)(const tile *t, int64_t block, float *const *partial);
} kernels;

#define KERNELS(DTYPE, N) ((kernels){attend_##DTYPE##_##N, store_partials_##DTYPE##_##N})
#define KERNELS_OF(DTYPE, n)                                                                       \
    ((n) == 4 ? KERNELS(DTYPE, 4) : (n) == 2 ? KERNELS(DTYPE, 2) : KERNELS(DTYPE, 1))

static kernels kernels_for(ifn_dtype dtype, int n_q)
{
    if (dtype == IFN_DTYPE_F32)
        return KERNELS_OF(F32, n_q);
    if (dtype == IFN_DTYPE_F16)
        return KERNELS_OF(F16, n_q);
    return KERNELS_OF(Q8_0, n_q);
}

static attention_cache cache_of(const ifn_attention_args *a, int64_t kv_head)
{
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const size_t at = (size_t)(kv_head * a->max_pos) * row_bytes;
    return (attention_cache){.k = (const unsigned char *)a->k_cache + at,
                             .v = (const unsigned char *)a->v_cache + at,
                             .row_bytes = row_bytes,
                             .head_dim = a->head_dim,
                             .scale = a->scale};
}

/* The u-th query of the heads that share a KV head: all heads of a row, then the next row. */
typedef struct query {
    int64_t row, head;
} query;

static query query_at(ifn_range heads, int64_t u)
{
    const int64_t n_heads = heads.end - heads.begin;
    return (query){u / n_heads, heads.begin + u % n_heads};
}

/* As many queries from the u-th on as there are kernels for; returns how many. */
static int set_queries(tile *t, const ifn_attention_args *a, ifn_range heads, int64_t u)
{
    const int64_t left = a->rows * (heads.end - heads.begin) - u;
    const int n = left >= 4 ? 4 : left >= 2 ? 2 : 1;
    for (int i = 0; i < n; i++) {
        const query at = query_at(heads, u + i);
        const int64_t vector = (at.row * a->n_heads + at.head) * a->head_dim;
        t->pos[i] = a->first_pos + at.row;
        t->q[i] = a->q + vector;
        t->out[i] = a->out ? a->out + vector : NULL; /* PARTIALS needs none */
    }
    return n;
}

static void attend(const ifn_attention_args *a, int64_t kv_head, ifn_range heads)
{
    tile t = {.cache = cache_of(a, kv_head)};
    for (int64_t u = 0, n; u < a->rows * (heads.end - heads.begin); u += n) {
        n = set_queries(&t, a, heads, u);
        kernels_for(a->cache_dtype, (int)n).attend(&t);
    }
}

/* Blocks behind a row are stored too, as blocks without keys: (-inf, 0, zeros). */
static void store_partials(const ifn_attention_args *a, int64_t kv_head, ifn_range heads,
                           ifn_range blocks)
{
    tile t = {.cache = cache_of(a, kv_head)};
    for (int64_t u = 0, n; u < a->rows * (heads.end - heads.begin); u += n) {
        n = set_queries(&t, a, heads, u);
        const kernels use = kernels_for(a->cache_dtype, (int)n);
        for (int64_t block = blocks.begin; block < blocks.end; block++) {
            float *partial[QUERIES];
            for (int i = 0; i < n; i++) {
                const query at = query_at(heads, u + i);
                partial[i] = ifn_scalar_partial_at(a, at.row, at.head, block);
            }
            use.store_partials(&t, block, partial);
        }
    }
}

static void merge_partials(const ifn_attention_args *a, int64_t row, int64_t head)
{
    float max = -INFINITY, sum = 0.0f;
    float *const out = a->out + (row * a->n_heads + head) * a->head_dim;
    clear(out, a->head_dim);
    for (int64_t block = 0; block < ifn_scalar_attention_blocks(a->first_pos + row + 1); block++) {
        const float *const partial = ifn_scalar_partial_at(a, row, head, block);
        merge_accumulator(out, partial + 2, merge(&max, &sum, partial[0], partial[1]), a->head_dim);
    }
    divide(out, sum, a->head_dim);
}

/* The heads of `part` that read one KV head. */
static void run_group(const ifn_attention_args *a, int64_t kv_head, ifn_range heads)
{
    if (heads.begin == heads.end)
        return;
    if (a->phase == IFN_ATTENTION_WHOLE) {
        attend(a, kv_head, heads);
    } else if (a->phase == IFN_ATTENTION_PARTIALS) {
        const int64_t n_blocks = ifn_scalar_attention_blocks(a->first_pos + a->rows);
        store_partials(a, kv_head, heads, ifn_part(a->part2_begin, a->part2_end, n_blocks));
    } else {
        for (int64_t row = 0; row < a->rows; row++)
            for (int64_t head = heads.begin; head < heads.end; head++)
                merge_partials(a, row, head);
    }
}

ifn_status IFN_KERNEL(attention)(ifn_backend *self, const ifn_attention_args *a)
{
    (void)self;
    if (!ifn_scalar_attention_fits(a))
        return IFN_ERR_SHAPE;
    if (a->head_dim == 0 && a->phase != IFN_ATTENTION_PARTIALS)
        return IFN_OK;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n_heads);
    const int64_t group = a->n_heads ? a->n_heads / a->n_kv_heads : 1;
    for (int64_t kv_head = 0; kv_head < a->n_kv_heads; kv_head++) {
        const int64_t first = kv_head * group;
        const ifn_range heads = ifn_part_within(part, first, first + group);
        run_group(a, kv_head, (ifn_range){first + heads.begin, first + heads.end});
    }
    return IFN_OK;
}
