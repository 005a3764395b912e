/*
 * K is transposed, so that a lane is a key and no sum runs across lanes. The VL partial sums of a score
 * are computed one after the other, each as a chain over its components, and two of them are added as
 * soon as both are at the same depth of the tree. The tiles for V are those of gemm_tile.h.
 *
 * Measured with 512 bits, one thread, f16, 16 heads over 8, head_dim 128, 512 rows: 1.5 times as
 * fast as tiles of four queries; the tiles alone 3/4 (scores) and all (values) of what gemm_tile.h
 * reaches, and a seventh of the time goes into exponentials.
 */
#include "attention_panels.h"

#include <string.h>

#include "gemm_tile.h"
#include "weight_panels.h"

enum {
    SCORE_UNIT = 2, /* the number of queries of a tile is a multiple of this */
    MOST_VECTORS = 4,
    SCORE_VECTORS = VEC_REGISTERS == 32 ? MOST_VECTORS : 2,
    KEY_PANEL = SCORE_VECTORS * VL,
    VALUE_ROWS = VEC_REGISTERS == 32 ? 12 : 6, /* queries of a tile of PANEL accumulators */
    DEPTH = VL == 16 ? 4 : 2 + (VL == 8),      /* of the tree over VL partial sums */
    PANELS_AHEAD = 1024                        /* elements: as in gemm.c */
};

/* The lane whose partial sum is computed r-th: r with its bits reversed, so that lanes that vf_sum adds to each other
 * follow each other. */
static inline int score_lane(int r)
{
    int lane = 0;
    for (int i = 0; i < DEPTH; i++)
        lane |= (r >> i & 1) << (DEPTH - 1 - i);
    return lane;
}

/* Copies components in the order in which a score adds them: those of the first lane, of the second, ... */
static void sort_components(const float *panel, int64_t head_dim, float *out)
{
    for (int r = 0; r < VL; r++)
        for (int64_t c = score_lane(r); c < head_dim; c += VL, out += KEY_PANEL) {
            vf_store(out, vf_load(panel + c * PANEL));
            vf_store(out + VL, vf_load(panel + c * PANEL + VL));
        }
}

/* Transposes keys [t, t + n) of a block, at most PANEL, into a panel. VL consecutive keys lie in one page. */
static void turn_panel(const attention_cache *cache, int64_t block, int64_t t, int64_t n,
                       float *panel)
{
    for (int64_t c = 0; c < cache->head_dim; c += SOURCE_K) {
        const int64_t left = cache->head_dim - c, n_c = left < SOURCE_K ? left : SOURCE_K;
        for (int64_t i = 0; i < PANEL; i += VL)
            turn_rows(cache->dtype,
                      i < n ? attention_rows(cache, cache->k, block, t + i) : cache->k,
                      cache->row_bytes, n - i, c, n_c, panel + c * PANEL + i, PANEL);
    }
}

/* Fills the panels of K with keys [0, n) of a block, and with zeros after n in the last panel. */
static void turn_keys(const attention_panels *p, const attention_cache *cache, int64_t block,
                      int64_t n)
{
    float *const turned = p->v; /* temporary room: values come later */
    for (int64_t t = 0; t < n; t += PANEL) {
        turn_panel(cache, block, t, n - t, turned);
        sort_components(turned, cache->head_dim,
                        p->k + t / KEY_PANEL * KEY_PANEL * cache->head_dim + t % KEY_PANEL);
    }
}

/* Copies components [c, c + width) of values [t, to), all in one page, whose rows begin at v. */
IFN_INLINE void copy_page(ifn_dtype dtype, const attention_cache *cache, const unsigned char *v,
                          int64_t t, int64_t to, int64_t c, int64_t width, int n, float *panel)
{
    for (panel += t * width; t < to; t++, panel += width, v += cache->row_bytes)
        for (int64_t i = 0; i < width; i += VL)
            vf_store(panel + i, attention_load(dtype, v, c + i, n));
}

IFN_INLINE void copy_values(ifn_dtype dtype, const attention_cache *cache, int64_t block,
                            int64_t n_keys, float *out)
{
    int64_t width;
    for (int64_t c = 0; c < cache->head_dim; c += width) {
        const int64_t left = cache->head_dim - c;
        const int n = (int)(left < VL ? left : VL);
        width = panel_width(left);
        for (int64_t t = 0, to; t < n_keys; t = to) {
            to = attention_page_end(cache, t, n_keys);
            copy_page(dtype, cache, attention_rows(cache, cache->v, block, t), t, to, c, width, n,
                      out + c * KEYS);
        }
    }
}

void IFN_KERNEL(attention_fill_panels)(const attention_panels *p, const attention_cache *cache,
                                       int64_t block, int64_t n)
{
    turn_keys(p, cache, block, n);
    if (cache->dtype == IFN_DTYPE_F32)
        copy_values(IFN_DTYPE_F32, cache, block, n, p->v);
    else if (cache->dtype == IFN_DTYPE_F16)
        copy_values(IFN_DTYPE_F16, cache, block, n, p->v);
    else
        copy_values(IFN_DTYPE_Q8_0, cache, block, n, p->v);
}

/* Literal indices: compilers keep accumulators that are indexed by a variable in memory. */
/* clang-format off */
#define FOR_QUERIES(X) X(0) X(1) X(2) X(3) X(4) X(5)
#define FOR_VECTORS(X, r) X(r, 0) X(r, 1) X(r, 2) X(r, 3)
/* clang-format on */

/*
 * Computes the scores of `rows` queries, q_stride apart, with the keys of n_v vectors of a panel. A chain
 * begins with a product instead of a sum with 0, which may give a zero another sign; so both this code and
 * attention_tile.h turn a zero score into +0.
 */
IFN_INLINE void score_panel(const int rows, const int n_v, const attention_panels *p,
                            const float *q, const float *panel, int64_t head_dim, float scale,
                            float *out)
{
    vf sum[SCORE_ROWS * MOST_VECTORS], half[DEPTH][SCORE_ROWS * MOST_VECTORS];
    const float *third[(SCORE_ROWS + 2) / 3];
    const int64_t stride = p->q_stride;
    for (int i = 0; i < (rows + 2) / 3; i++)
        third[i] = q + 3 * i * stride;
#define START(r, v)                                                                                \
    if ((v) < n_v)                                                                                 \
        sum[(r)*n_v + (v)] = vf_mul(x, key[v]);
#define ZERO(r, v)                                                                                 \
    if ((v) < n_v)                                                                                 \
        sum[(r)*n_v + (v)] = vf_zero();
#define ADD(r, v)                                                                                  \
    if ((v) < n_v)                                                                                 \
        sum[(r)*n_v + (v)] = vf_fma(x, key[v], sum[(r)*n_v + (v)]);
#define PAIR(r, v)                                                                                 \
    if ((v) < n_v)                                                                                 \
        sum[(r)*n_v + (v)] = vf_add(half[depth][(r)*n_v + (v)], sum[(r)*n_v + (v)]);
#define KEEP(r, v)                                                                                 \
    if ((v) < n_v)                                                                                 \
        half[depth][(r)*n_v + (v)] = sum[(r)*n_v + (v)];
#define STORE(r, v)                                                                                \
    if ((v) < n_v)                                                                                 \
        vf_store(out + (r)*KEYS + (v)*VL,                                                          \
                 vf_add(vf_mul(sum[(r)*n_v + (v)], vf_set(scale)), vf_zero()));
#define READ(r, v)                                                                                 \
    if ((v) < n_v) {                                                                               \
        key[v] = vf_load(panel + (v)*VL);                                                          \
        __builtin_prefetch(panel + PANELS_AHEAD + (v)*VL);                                         \
    }
#define EACH(STEP, r)                                                                              \
    if ((r) < rows) {                                                                              \
        FOR_VECTORS(STEP, r)                                                                       \
    }
#define ROW(STEP, r)                                                                               \
    if ((r) < rows) {                                                                              \
        const vf x = vf_set(third[(r) / 3][(r) % 3 * stride + c]);                                 \
        FOR_VECTORS(STEP, r)                                                                       \
    }
#define ZERO_ROW(r)  EACH(ZERO, r)
#define START_ROW(r) ROW(START, r)
#define ADD_ROW(r)   ROW(ADD, r)
#define PAIR_ROW(r)  EACH(PAIR, r)
#define KEEP_ROW(r)  EACH(KEEP, r)
#define STORE_ROW(r) EACH(STORE, r)
    for (int r = 0; r < VL; r++) {
        vf key[MOST_VECTORS];
        int64_t c = score_lane(r);
        if (c >= head_dim) {
            FOR_QUERIES(ZERO_ROW)
        } else {
            FOR_VECTORS(READ, 0)
            FOR_QUERIES(START_ROW)
            for (c += VL; c < head_dim; c += VL) {
                panel += KEY_PANEL;
                FOR_VECTORS(READ, 0)
                FOR_QUERIES(ADD_ROW)
            }
            panel += KEY_PANEL;
        }
        int depth = 0;
        for (; r >> depth & 1; depth++) {
            FOR_QUERIES(PAIR_ROW)
        }
        if (depth < DEPTH) {
            FOR_QUERIES(KEEP_ROW)
        }
    }
    FOR_QUERIES(STORE_ROW)
}

typedef void score_panel_fn(const attention_panels *p, const float *q, const float *panel,
                            int64_t head_dim, float scale, float *out);

#define SCORE_PANEL(units, n_v)                                                                    \
    static void score_##units##_##n_v(const attention_panels *p, const float *q,                   \
                                      const float *panel, int64_t head_dim, float scale,           \
                                      float *out)                                                  \
    {                                                                                              \
        score_panel((units)*SCORE_UNIT, n_v, p, q, panel, head_dim, scale, out);                   \
    }
SCORE_PANEL(1, 1)
SCORE_PANEL(1, 2)
SCORE_PANEL(1, SCORE_VECTORS)
SCORE_PANEL(2, 1)
SCORE_PANEL(2, 2)
SCORE_PANEL(2, SCORE_VECTORS)
SCORE_PANEL(3, 1)
SCORE_PANEL(3, 2)
SCORE_PANEL(3, SCORE_VECTORS)

/* Copies queries [first, first + n) side by side, and repeats the last one until a unit is full. */
static void copy_queries(const attention_pass *p, int first, int n, const attention_panels *panels)
{
    for (int i = 0; i < (n + SCORE_UNIT - 1) / SCORE_UNIT * SCORE_UNIT; i++)
        memcpy(panels->q + i * panels->q_stride, p->q[first + (i < n ? i : n - 1)],
               (size_t)p->cache.head_dim * sizeof(float));
}

/* Prefetches q and out of the query `ahead` of the pass into L2. */
static void fetch_query(const attention_pass *p, int ahead)
{
    if (ahead >= p->n_ahead)
        return;
    for (int64_t c = 0; c < p->cache.head_dim; c += LINE_FLOATS) {
        IFN_FETCH_L2(p->q[ahead] + c);
        IFN_FETCH_L2(p->out[ahead] + c);
    }
}

void IFN_KERNEL(attention_score_many)(attention_pass *p, const attention_panels *panels)
{
    static score_panel_fn *const tiles[][3] = {
        {score_1_1, score_2_1, score_3_1},
        {score_1_2, score_2_2, score_3_2},
        {score_1_SCORE_VECTORS, score_2_SCORE_VECTORS, score_3_SCORE_VECTORS}};
    const int64_t head_dim = p->cache.head_dim;
    for (int i = 0, rows; i < p->n_q; i += rows) {
        rows = p->n_q - i < SCORE_ROWS ? p->n_q - i : SCORE_ROWS;
        const int64_t seen = attention_keys_seen(p, i, rows).end;
        copy_queries(p, i, rows, panels);
        int ahead = i + rows;
        for (int64_t t = 0; t < seen; t += KEY_PANEL) {
            const int64_t left = seen - t;
            for (int j = 0; j < 2 && ahead < i + 2 * rows; j++)
                fetch_query(p, ahead++);
            tiles[left > 2 * VL ? 2 : left > VL][(rows - 1) / SCORE_UNIT](
                panels, panels->q, panels->k + t * head_dim, head_dim, p->cache.scale,
                p->weight[i] + t);
        }
    }
}

/* Accumulates components [0, n) of a panel of V, n at most `width`, for queries [first, first + rows). */
static void accumulate_panel(attention_pass *p, int first, int rows, const float *panel, int n,
                             int width, float *out)
{
    const ifn_range seen = attention_keys_seen(p, first, rows);
    const int vectors = width / VL;
    gemm_step s = {.a_stride = KEYS,
                   .b_stride = width,
                   .out_stride = TILE_COMPONENTS,
                   .panel_stride = width * KEYS,
                   .ahead = PANELS_AHEAD,
                   .k = seen.begin};
    gemm_tile_fn *const tile =
        n < VL ? IFN_KERNEL(gemm_tile_tail)(rows) : IFN_KERNEL(gemm_tile)(rows, vectors);
    gemm_tile_fn *const one =
        n < VL ? IFN_KERNEL(gemm_tile_tail)(1) : IFN_KERNEL(gemm_tile)(1, vectors);
    tile(&s, p->weight[first], panel, out, NULL, NULL, n);
    s.continues = 1;
    for (int i = first; i < first + rows; i++, out += TILE_COMPONENTS) {
        s.k = p->n[i] - seen.begin;
        if (s.k > 0)
            one(&s, p->weight[i] + seen.begin, panel + seen.begin * width, out, NULL, NULL, n);
    }
}

void IFN_KERNEL(attention_accumulate_many)(attention_pass *p, const attention_panels *panels,
                                           int64_t c, int64_t n, float (*out)[TILE_COMPONENTS])
{
    for (int64_t j = 0, width; j < n; j += width) {
        width = panel_width(n - j);
        for (int i = 0, rows; i < p->n_q; i += rows) {
            rows = p->n_q - i < VALUE_ROWS ? p->n_q - i : VALUE_ROWS;
            accumulate_panel(p, i, rows, panels->v + (c + j) * KEYS,
                             (int)(n - j < width ? n - j : width), (int)width, out[i] + j);
        }
    }
}
