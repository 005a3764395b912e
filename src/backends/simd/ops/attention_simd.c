/*
 * attention: computes the queries that read one KV head, block by block: a few at a time on K and V in
 * place (attention_tile.h), or many on panels (attention_panels.h). WHOLE merges the blocks as they come,
 * PARTIALS stores them, MERGE reads them back: the same arithmetic. 4 T head_dim operations a query over T
 * keys; one pass over K and V for up to SPAN queries with panels, for up to four without.
 */
#include "attention_panels.h"
#include <assert.h>

#include "attention_scalar.h"
#include "attention_tile.h"

/* How many keys of a block the row at `pos` sees. */
static int64_t n_visible(int64_t block, int64_t pos)
{
    const ifn_range keys = ifn_scalar_visible_keys(block, pos);
    return keys.end - keys.begin;
}

/* The running maximum and sum of each query over the blocks so far; the accumulators are in out. */
typedef struct running {
    float *max, *sum;
} running;

/* The factors of the running values and of the block's values: merged = keep * old + take * new. */
typedef struct merge_factors {
    float *keep, *take;
} merge_factors;

/* Merges a block into the running values of n_all queries. A block that a query does not see, (-inf, 0), changes
 * nothing. */
static void merge(running run, const float *block_max, const float *block_sum, merge_factors f,
                  int n_all)
{
    for (int i = 0, n; i < n_all; i += n) {
        n = n_all - i < VL ? n_all - i : VL;
        const vf old = vf_get(run.max + i, n), new = vf_get(block_max + i, n);
        const vf larger = vf_max(new, old);
        const vf keep = attention_weigh(old, larger), take = attention_weigh(new, larger);
        vf_put(run.max + i, larger, n);
        vf_put(run.sum + i,
               vf_add(vf_mul(vf_get(run.sum + i, n), keep), vf_mul(vf_get(block_sum + i, n), take)),
               n);
        vf_put(f.keep + i, keep, n);
        vf_put(f.take + i, take, n);
    }
}

static void merge_accumulator(float *out, const float *acc, float keep, float take, int64_t n_all)
{
    IFN_MAP(out, ((ifn_range){0, n_all}),
            vf_fma(vf_get(out + i, n), vf_set(keep), vf_mul(vf_get(acc + i, n), vf_set(take))));
}

static void clear(float *out, int64_t n_all)
{
    IFN_MAP(out, ((ifn_range){0, n_all}), vf_zero());
}

static void divide(float *out, float by, int64_t n_all)
{
    IFN_MAP(out, ((ifn_range){0, n_all}), vf_div(vf_get(out + i, n), vf_set(by)));
}

/* How many queries the next tile has: kernels exist for 4, 2 and 1. */
static int tile_of(int left)
{
    return left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

/* Some queries of one KV head, and the panels of its current block. */
typedef struct span {
    const ifn_attention_args *a;
    attention_cache cache;
    ifn_range heads;
    int64_t first, n; /* queries */
    attention_panels panels;
} span;

/* The u-th query of the heads that share a KV head: all heads of a row, then the next row. */
typedef struct query {
    int64_t row, head;
} query;

static query query_at(const span *s, int64_t u)
{
    const int64_t n_heads = s->heads.end - s->heads.begin;
    return (query){u / n_heads, s->heads.begin + u % n_heads};
}

static int64_t vector_at(const span *s, int64_t u)
{
    const query at = query_at(s, u);
    return (at.row * s->a->n_heads + at.head) * s->a->head_dim;
}

/* The position of the last query. */
static int64_t last_pos(const span *s)
{
    return s->a->first_pos + query_at(s, s->first + s->n - 1).row;
}

/* The address of a query's accumulator. */
static float *out_at(const span *s, int64_t u, int64_t block)
{
    const query at = query_at(s, u);
    return s->a->phase == IFN_ATTENTION_WHOLE
               ? s->a->out + vector_at(s, u)
               : ifn_scalar_partial_at(s->a, at.row, at.head, block) + 2;
}

/* Sets up a pass of up to PASS queries from the u-th on; returns how many. */
static int set_queries(attention_pass *p, const span *s, int64_t u, int64_t block)
{
    const int64_t left = s->first + s->n - u;
    p->cache = s->cache;
    p->n_q = (int)(left < PASS ? left : PASS);
    p->n_ahead = (int)(left < PASS + AHEAD ? left : PASS + AHEAD);
    for (int i = 0; i < p->n_ahead; i++) {
        p->q[i] = s->a->q + vector_at(s, u + i);
        p->out[i] = out_at(s, u + i, block);
    }
    for (int i = 0; i < p->n_q; i++)
        p->n[i] = n_visible(block, s->a->first_pos + query_at(s, u + i).row);
    return p->n_q;
}

static void begin_block(const span *s, int64_t block)
{
    if (s->panels.k)
        IFN_KERNEL(attention_fill_panels)
    (&s->panels, &s->cache, block, n_visible(block, last_pos(s)));
}

/* Computes weights, maximum and sum of every query of a pass. */
static void weigh(attention_pass *p, const span *s, int64_t block)
{
    if (s->panels.k)
        IFN_KERNEL(attention_score_many)(p, &s->panels);
    else
        for (int i = 0, n; i < p->n_q; i += n) {
            n = tile_of(p->n_q - i);
            IFN_KERNEL(attention_tiles)(p->cache.dtype, n).score(p, i, block);
        }
    for (int i = 0; i < p->n_q; i++)
        attention_weigh_row(p, i);
}

/* Computes components from c on of the accumulators of a pass; returns how many. */
static int64_t accumulate(attention_pass *p, const span *s, int64_t block, int64_t c,
                          float (*out)[TILE_COMPONENTS])
{
    const int64_t left = p->cache.head_dim - c,
                  some = left < TILE_COMPONENTS ? left : TILE_COMPONENTS;
    if (s->panels.k)
        IFN_KERNEL(attention_accumulate_many)(p, &s->panels, c, some, out);
    else
        for (int i = 0, n; i < p->n_q; i += n) {
            n = tile_of(p->n_q - i);
            IFN_KERNEL(attention_tiles)
            (p->cache.dtype, n).accumulate(p, i, block, c, some, out + i);
        }
    return some;
}

/* Merges a block into out: begins it with block 0, and divides it by the sum after the last block of a query. */
static void attend_pass(attention_pass *p, const span *s, int64_t u, int64_t block, running run)
{
    float acc[PASS][TILE_COMPONENTS], keep[PASS], take[PASS];
    weigh(p, s, block);
    merge(run, p->max, p->sum, (merge_factors){keep, take}, p->n_q);
    for (int64_t c = 0, n; c < p->cache.head_dim; c += n) {
        n = accumulate(p, s, block, c, acc);
        for (int i = 0; i < p->n_q; i++) {
            if (p->n[i] == 0)
                continue;
            if (block == 0)
                clear(p->out[i] + c, n);
            merge_accumulator(p->out[i] + c, acc[i], keep[i], take[i], n);
            if (n_visible(block + 1, s->a->first_pos + query_at(s, u + i).row) == 0)
                divide(p->out[i] + c, run.sum[i], n);
        }
    }
}

/* If all visible scores are -inf, the sum is 0, and 0/0 gives the NaN that the contract wants. */
static void attend(const span *s)
{
    attention_pass p;
    float max[SPAN], sum[SPAN];
    assert(s->a->out);
    for (int64_t i = 0; i < s->n; i++) {
        max[i] = -INFINITY;
        sum[i] = 0.0f;
    }
    for (int64_t block = 0; block < ifn_scalar_attention_blocks(last_pos(s) + 1); block++) {
        begin_block(s, block);
        for (int64_t i = 0, n; i < s->n; i += n) {
            n = set_queries(&p, s, s->first + i, block);
            if (p.n[n - 1] > 0)
                attend_pass(&p, s, s->first + i, block, (running){max + i, sum + i});
        }
    }
}

/* Stores the triples (max, sum, accumulator) of one block. */
static void store_pass(attention_pass *p, const span *s, int64_t block)
{
    float acc[PASS][TILE_COMPONENTS];
    weigh(p, s, block);
    for (int i = 0; i < p->n_q; i++) {
        p->out[i][-2] = p->max[i];
        p->out[i][-1] = p->sum[i];
    }
    for (int64_t c = 0, n; c < p->cache.head_dim; c += n) {
        n = accumulate(p, s, block, c, acc);
        for (int i = 0; i < p->n_q; i++)
            memcpy(p->out[i] + c, acc[i], (size_t)n * sizeof **acc);
    }
}

/* Blocks past a row are stored too, as blocks without keys: (-inf, 0, zeros). */
static void store_partials(const span *s, ifn_range blocks)
{
    attention_pass p;
    for (int64_t block = blocks.begin; block < blocks.end; block++) {
        begin_block(s, block);
        for (int64_t i = 0, n; i < s->n; i += n) {
            n = set_queries(&p, s, s->first + i, block);
            store_pass(&p, s, block);
        }
    }
}

static attention_cache cache_of(const ifn_attention_args *a, int64_t kv_head)
{
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const size_t at = (size_t)(kv_head * a->max_pos) * row_bytes;
    return (attention_cache){.k = (const unsigned char *)a->k_cache + at,
                             .v = (const unsigned char *)a->v_cache + at,
                             .pages = a->page_rows > 0 ? a->pages : NULL,
                             .page_rows = a->page_rows > 0 ? a->page_rows : KEYS,
                             .row_bytes = row_bytes,
                             .head_dim = a->head_dim,
                             .scale = a->scale,
                             .dtype = a->cache_dtype};
}

/* Runs the queries of a group, a span at a time. */
static void run_spans(const ifn_attention_args *a, int64_t kv_head, ifn_range heads)
{
    const int64_t all = a->rows * (heads.end - heads.begin);
    const int64_t n_blocks = ifn_scalar_attention_blocks(a->first_pos + a->rows);
    const ifn_range blocks = ifn_part(a->part2_begin, a->part2_end, n_blocks);
    span s = {.a = a, .cache = cache_of(a, kv_head), .heads = heads};
    if (all >= MANY && a->head_dim > 0)
        s.panels = attention_panels_in(&a->call, a->head_dim);
    for (; s.first < all; s.first += s.n) {
        s.n = all - s.first < SPAN ? all - s.first : SPAN;
        if (a->phase == IFN_ATTENTION_WHOLE)
            attend(&s);
        else
            store_partials(&s, blocks);
    }
}

static void merge_partials(const ifn_attention_args *a, int64_t row, int64_t head)
{
    float max = -INFINITY, sum = 0.0f, keep, take;
    float *const out = a->out + (row * a->n_heads + head) * a->head_dim;
    clear(out, a->head_dim);
    for (int64_t block = 0; block < ifn_scalar_attention_blocks(a->first_pos + row + 1); block++) {
        const float *const partial = ifn_scalar_partial_at(a, row, head, block);
        merge((running){&max, &sum}, partial, partial + 1, (merge_factors){&keep, &take}, 1);
        merge_accumulator(out, partial + 2, keep, take, a->head_dim);
    }
    divide(out, sum, a->head_dim);
}

/* Runs `heads`, which all read one KV head. */
static void run_group(const ifn_attention_args *a, int64_t kv_head, ifn_range heads)
{
    if (a->phase != IFN_ATTENTION_MERGE) {
        run_spans(a, kv_head, heads);
        return;
    }
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t head = heads.begin; head < heads.end; head++)
            merge_partials(a, row, head);
}

size_t IFN_KERNEL(attention_scratch_bytes)(const ifn_limits *max)
{
    const int64_t group = max->n_kv_heads > 0 ? max->n_heads / max->n_kv_heads : 0;
    if (max->head_dim <= 0 || max->rows * group < MANY)
        return 0;
    return (size_t)attention_panel_floats(max->head_dim) * sizeof(float);
}

ifn_status IFN_KERNEL(attention)(ifn_backend *self, const ifn_attention_args *a)
{
    if (a->n_spans != 0)
        return ifn_attention_by_spans(self, a, IFN_KERNEL(attention));
    if (!ifn_scalar_attention_fits(a))
        return IFN_ERR_SHAPE;
    if (a->head_dim == 0 && a->phase != IFN_ATTENTION_PARTIALS)
        return IFN_OK;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n_heads);
    if (a->rows == 0 || part.begin == part.end)
        return IFN_OK;
    const int64_t group = a->n_heads / a->n_kv_heads;
    for (int64_t kv_head = part.begin / group; kv_head * group < part.end; kv_head++) {
        const int64_t first = kv_head * group;
        const ifn_range heads = ifn_part_within(part, first, first + group);
        run_group(a, kv_head, (ifn_range){first + heads.begin, first + heads.end});
    }
    return IFN_OK;
}
