/* Attention by key blocks or by tiles with a running maximum, in one call or in two phases. */
#include <math.h>
#include <string.h>

#include "honest.h"

enum { KEYS = IFN_ATTENTION_BLOCK };

size_t honest_scratch_floats(const ifn_limits *max)
{
    const int64_t d = max->head_dim > 0 ? max->head_dim : 0;
    int64_t longest =
        max->k > max->n ? max->k : max->n; /* a row of a matmul may be as long as any of three */
    longest = longest > max->max_pos ? longest : max->max_pos;
    return (size_t)(2 * (longest > 0 ? longest : 0) + 6 * d + 64);
}

/* One query head of one row, and the scratch for it. */
typedef struct head {
    const style *s;
    const ifn_attention_args *a;
    int64_t row, index;
    float *q, *k, *v; /* decoded; q times a->scale if the style scales queries */
    float *part;      /* of some keys: maximum, sum of weights, accumulator [head_dim] */
    float *total;     /* the same of all keys */
} head;

static const unsigned char *row_of(const head *h, const void *cache, int64_t t)
{
    const ifn_attention_args *const a = h->a;
    const int64_t kv = h->index * a->n_kv_heads / a->n_heads;
    const size_t bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    return (const unsigned char *)cache + (size_t)(kv * a->max_pos + t) * bytes;
}

static ifn_status decode(const head *h, const void *cache, int64_t t, float *out)
{
    return ifn_dequantize_row(h->a->cache_dtype, row_of(h, cache, t), out, h->a->head_dim);
}

/* The dot product of the query and key t. */
static ifn_status product(const head *h, int64_t t, float *out)
{
    const ifn_attention_args *const a = h->a;
    if (h->s->codes_first && a->cache_dtype == IFN_DTYPE_Q8_0) {
        *out = sum_by_codes(h->s, row_of(h, a->k_cache, t), a->cache_dtype, a->head_dim, h->q);
        return IFN_OK;
    }
    IFN_TRY(decode(h, a->k_cache, t, h->k));
    *out = sum_of(h->s, &(terms){h->q, h->k, 1, 1}, a->head_dim);
    return IFN_OK;
}

static ifn_status score(const head *h, int64_t t, float *out)
{
    IFN_TRY(product(h, t, out));
    *out = h->s->scales_q ? *out : h->a->scale * *out;
    return IFN_OK;
}

static void start(float *part, int64_t n)
{
    memset(part, 0, (size_t)(2 + n) * sizeof *part);
    part[0] = -INFINITY;
}

/* Rescales sum and accumulator to a new maximum. */
static void raise_to(const head *h, float *part, float max)
{
    if (part[0] == max)
        return;
    const float factor = part[0] == -INFINITY ? 0.0f : exp_of(h->s, part[0] - max);
    for (int64_t i = 1; i < 2 + h->a->head_dim; i++)
        part[i] = part[0] == -INFINITY ? 0.0f : part[i] * factor;
    part[0] = max;
}

static float larger(float a, float b)
{
    return b > a || isnan(b) ? b : a;
}

/* e^(s - max); with fuses_max as FlashAttention-2 computes it: 2^(s log2 e - max log2 e), the first product fused. */
static float weight_of(const head *h, float s, float max)
{
    const float log2_e = 1.44269504f;
    return h->s->fuses_max ? exp2f(fmaf(s, log2_e, -(max * log2_e))) : exp_of(h->s, s - max);
}

static ifn_status add_key(const head *h, float *part, int64_t t, float s)
{
    if (s == -INFINITY)
        return IFN_OK; /* weight exactly 0 */
    const float p = weight_of(h, s, part[0]);
    if (h->s->skips_light && p < 0x1p-100f)
        return IFN_OK;
    IFN_TRY(decode(h, h->a->v_cache, t, h->v));
    part[1] += p;
    add_scaled(h->s, part + 2, p, h->v, h->a->head_dim);
    return IFN_OK;
}

/* Adds keys [t, end), at most KEYS of them, to `part`. */
static ifn_status add_tile(const head *h, float *part, int64_t t, int64_t end)
{
    float scores[KEYS], max = part[0];
    for (int64_t i = t; i < end; i++) {
        IFN_TRY(score(h, i, &scores[i - t]));
        max = larger(max, scores[i - t]);
    }
    if (max == -INFINITY)
        return IFN_OK;
    raise_to(h, part, max);
    for (int64_t i = t; i < end; i++)
        IFN_TRY(add_key(h, part, i, scores[i - t]));
    return IFN_OK;
}

static ifn_status add_keys(const head *h, float *part, int64_t t, int64_t end)
{
    const int64_t tile = h->s->attention == ATTENTION_BLOCKS ? KEYS : h->s->tile;
    start(part, h->a->head_dim);
    for (; t < end; t += tile)
        IFN_TRY(add_tile(h, part, t, t + tile < end ? t + tile : end));
    return IFN_OK;
}

static void merge(const head *h, float *to, const float *part)
{
    if (part[0] == -INFINITY)
        return;
    const float max = larger(to[0], part[0]), factor = exp_of(h->s, part[0] - max);
    raise_to(h, to, max);
    add_scaled(h->s, to + 1, factor, part + 1, 1 + h->a->head_dim);
}

static void write_out(const head *h, const float *total)
{
    float *const out = h->a->out + (h->row * h->a->n_heads + h->index) * h->a->head_dim;
    const float inverse = 1.0f / total[1];
    for (int64_t i = 0; i < h->a->head_dim; i++)
        out[i] = h->s->divides_late ? total[2 + i] / total[1] : total[2 + i] * inverse;
}

static int64_t visible(const head *h)
{
    return h->a->first_pos + h->row + 1;
}

static int64_t blocks_of(const ifn_attention_args *a)
{
    return (a->first_pos + a->rows + KEYS - 1) / KEYS;
}

static float *partial_of(const head *h, int64_t block)
{
    const ifn_attention_args *const a = h->a;
    return a->partials +
           ((h->row * a->n_heads + h->index) * blocks_of(a) + block) * (2 + a->head_dim);
}

static ifn_status add_block(const head *h, float *part, int64_t block)
{
    const int64_t begin = block * KEYS, end = begin + KEYS;
    return add_keys(h, part, begin, end < visible(h) ? end : visible(h));
}

/* Adds the value of key t times its normalised weight, e^(score - max) / sum. */
static ifn_status add_share(const head *h, float score, float max, float sum, int64_t t)
{
    IFN_TRY(decode(h, h->a->v_cache, t, h->v));
    add_scaled(h->s, h->total + 2, weight_of(h, score, max) / sum, h->v, h->a->head_dim);
    return IFN_OK;
}

/* Normalises all weights first, so that they add up to 1, then multiplies V by them. */
static ifn_status normalised(const head *h)
{
    IFN_TRY(add_keys(h, h->part, 0, visible(h)));
    const float max = h->part[0], sum = h->part[1];
    start(h->total, h->a->head_dim);
    for (int64_t t = 0; t < visible(h); t++) {
        float s;
        IFN_TRY(score(h, t, &s));
        if (s != -INFINITY)
            IFN_TRY(add_share(h, s, max, sum, t));
    }
    h->total[1] = max == -INFINITY ? 0 : 1;
    write_out(h, h->total);
    return IFN_OK;
}

static ifn_status whole(const head *h)
{
    if (h->s->attention == ATTENTION_NORMALISED)
        return normalised(h);
    if (h->s->attention == ATTENTION_ONE) {
        IFN_TRY(add_keys(h, h->total, 0, visible(h)));
        write_out(h, h->total);
        return IFN_OK;
    }
    start(h->total, h->a->head_dim);
    for (int64_t b = 0; b * KEYS < visible(h); b++) {
        IFN_TRY(add_block(h, h->part, b));
        merge(h, h->total, h->part);
    }
    write_out(h, h->total);
    return IFN_OK;
}

static ifn_status partials(const head *h)
{
    const range blocks = part_of(h->a->part2_begin, h->a->part2_end, blocks_of(h->a));
    for (int64_t b = blocks.begin; b < blocks.end; b++)
        IFN_TRY(add_block(h, partial_of(h, b), b));
    return IFN_OK;
}

static ifn_status merged(const head *h)
{
    start(h->total, h->a->head_dim);
    for (int64_t b = 0; b < blocks_of(h->a); b++)
        merge(h, h->total, partial_of(h, b));
    write_out(h, h->total);
    return IFN_OK;
}

static ifn_status run(const head *h)
{
    const float *const q = h->a->q + (h->row * h->a->n_heads + h->index) * h->a->head_dim;
    for (int64_t i = 0; i < h->a->head_dim; i++)
        h->q[i] = h->s->scales_q ? q[i] * h->a->scale : q[i];
    if (h->a->phase == IFN_ATTENTION_PARTIALS)
        return partials(h);
    return h->a->phase == IFN_ATTENTION_MERGE ? merged(h) : whole(h);
}

ifn_status honest_attention(const style *s, const ifn_attention_args *a)
{
    const range heads = part_of(a->part_begin, a->part_end, a->n_heads);
    const int64_t d = a->head_dim;
    float *const room = a->call.scratch;
    if (d == 0)
        return IFN_OK;
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t i = heads.begin; i < heads.end; i++) {
            const head h = {
                s, a, row, i, room, room + d, room + 2 * d, room + 3 * d, room + 4 * d + 2};
            IFN_TRY(run(&h));
        }
    return IFN_OK;
}
