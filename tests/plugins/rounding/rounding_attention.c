/* Attention whose scores and mixtures are products of rounded factors: queries and keys, weights and values. */
#include "rounding_attention.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/quant.h>
#include <inferno/spans.h>

enum { KEYS = IFN_ATTENTION_BLOCK };

/* One head of one query row. `part` (one block of keys) and `total` (all keys) hold maximum, sum and accumulator. */
typedef struct query {
    const attention_way *way;
    const ifn_attention_args *a;
    int64_t row, head;
    float *x;            /* a key or value, decoded */
    float *part, *total; /* [2 + head_dim] */
} query;

static float factor(const query *q, float x)
{
    return (float)round_to(q->way->inputs, (double)x);
}

static const float *decoded(const query *q, const void *cache, int64_t t)
{
    const ifn_attention_args *const a = q->a;
    const size_t bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const int64_t at =
        q->head * a->n_kv_heads / a->n_heads * a->max_pos + ifn_page_row(a->pages, a->page_rows, t);
    (void)ifn_dequantize_row(a->cache_dtype, (const char *)cache + (size_t)at * bytes, q->x,
                             a->head_dim);
    return q->x;
}

static float score(const query *q, int64_t t)
{
    const ifn_attention_args *const a = q->a;
    const float *const x = a->q + (q->row * a->n_heads + q->head) * a->head_dim;
    const float *const k = decoded(q, a->k_cache, t), scale = a->scale;
    const float before = q->way->scales_q ? scale : 1.0f, after = q->way->scales_q ? 1.0f : scale;
    float sum = 0;
    for (int64_t c = 0; c < a->head_dim; c++)
        sum += factor(q, x[c] * before) * factor(q, k[c]);
    return sum * after;
}

static float weight(float s, float max)
{
    return s == -INFINITY ? 0.0f : expf(s - max);
}

static float larger(float a, float b)
{
    return b > a ? b : a;
}

static void add_key(const query *q, float *part, int64_t t, float p)
{
    const float *const v = decoded(q, q->a->v_cache, t), rounded = factor(q, p);
    part[1] += q->way->sums_rounded ? rounded : p;
    for (int64_t c = 0; c < q->a->head_dim; c++)
        part[2 + c] += rounded * factor(q, v[c]);
}

static void start(const query *q, float *part)
{
    memset(part, 0, (size_t)(2 + q->a->head_dim) * sizeof *part);
    part[0] = -INFINITY;
}

static void add_block(const query *q, float *part, int64_t block)
{
    const int64_t visible = q->a->first_pos + q->row + 1, begin = block * KEYS;
    const int64_t n = visible - begin < KEYS ? visible - begin : KEYS;
    float scores[KEYS];
    start(q, part);
    for (int64_t i = 0; i < n; i++) {
        scores[i] = score(q, begin + i);
        part[0] = larger(part[0], scores[i]);
    }
    for (int64_t i = 0; i < n; i++)
        add_key(q, part, begin + i, weight(scores[i], part[0]));
}

static void merge(const query *q, const float *part)
{
    const float max = larger(q->total[0], part[0]);
    const float keep = weight(q->total[0], max), take = weight(part[0], max);
    q->total[0] = max;
    for (int64_t i = 1; i < 2 + q->a->head_dim; i++)
        q->total[i] = q->total[i] * keep + part[i] * take;
}

static int64_t blocks_of(int64_t keys)
{
    return (keys + KEYS - 1) / KEYS;
}

static float *partial_at(const query *q, int64_t block)
{
    const ifn_attention_args *const a = q->a;
    const int64_t blocks = blocks_of(a->first_pos + a->rows);
    return a->partials + ((q->row * a->n_heads + q->head) * blocks + block) * (2 + a->head_dim);
}

static void finish(const query *q)
{
    const ifn_attention_args *const a = q->a;
    start(q, q->total);
    for (int64_t b = 0; b < blocks_of(a->first_pos + q->row + 1); b++) {
        if (a->phase == IFN_ATTENTION_WHOLE)
            add_block(q, q->part, b);
        merge(q, a->phase == IFN_ATTENTION_WHOLE ? q->part : partial_at(q, b));
    }
    float *const out = a->out + (q->row * a->n_heads + q->head) * a->head_dim;
    for (int64_t c = 0; c < a->head_dim; c++)
        out[c] = (float)round_to(q->way->output, (double)(q->total[2 + c] / q->total[1]));
}

static void attend(const query *q)
{
    const ifn_attention_args *const a = q->a;
    const int64_t all = blocks_of(a->first_pos + a->rows);
    const int64_t end = a->part2_end ? a->part2_end : all;
    if (a->phase != IFN_ATTENTION_PARTIALS) {
        finish(q);
        return;
    }
    for (int64_t b = a->part2_begin; b < end; b++)
        add_block(q, partial_at(q, b), b);
}

ifn_status rounding_attention(const attention_way *way, const ifn_attention_args *a)
{
    const size_t d = (size_t)a->head_dim;
    const int64_t end = a->part_end ? a->part_end : a->n_heads;
    if (d == 0 && a->phase != IFN_ATTENTION_PARTIALS)
        return IFN_OK;
    float *const room = malloc((3 * d + 4) * sizeof *room);
    if (!room)
        return IFN_ERR_NOMEM;
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t head = a->part_begin; head < end; head++)
            attend(&(query){way, a, row, head, room, room + d, room + 2 * d + 2});
    free(room);
    return IFN_OK;
}
