/*
 * Attention in its prescribed order: blocks of 256 absolute positions, each with its own maximum
 * first, merged in ascending order. Inside a block every sum has the order of the variant.
 */
#include "variant_ops.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <inferno/quant.h>

enum { KEYS = IFN_ATTENTION_BLOCK };

/* Scratch for one key row, VARIANT_AT_ONCE key rows side by side, the value rows of a block, and a triple (max, sum,
 * accumulator). */
size_t variant_attention_scratch_bytes(int64_t head_dim)
{
    return (size_t)((1 + VARIANT_AT_ONCE + KEYS + 1) * head_dim + 2) * sizeof(float);
}

/* One query row and head. */
typedef struct query {
    const variant *v;
    const ifn_attention_args *a;
    int64_t row, head;
    float *k, *keys, *values, *triple; /* scratch */
} query;

static int64_t vector_at(const query *q)
{
    return (q->row * q->a->n_heads + q->head) * q->a->head_dim;
}

static int64_t blocks_of(int64_t n_keys)
{
    return (n_keys + KEYS - 1) / KEYS;
}

static ifn_status decode(const query *q, const void *cache, int64_t pos, float *out)
{
    const ifn_attention_args *const a = q->a;
    const int64_t kv_head = q->head / (a->n_heads / a->n_kv_heads);
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const size_t at = (size_t)(kv_head * a->max_pos + pos) * row_bytes;
    return ifn_dequantize_row(a->cache_dtype, (const unsigned char *)cache + at, out, a->head_dim);
}

/* e^(score - max), and exactly 0 for -inf, even where that is the maximum. */
static float weigh(float score, float max)
{
    return score == -INFINITY ? 0.0f : expf(score - max);
}

static variant_range visible_keys(const query *q, int64_t block)
{
    const int64_t begin = block * KEYS, last = q->a->first_pos + q->row + 1;
    const int64_t end = begin + KEYS < last ? begin + KEYS : last;
    return (variant_range){begin, end > begin ? end : begin};
}

enum { AT_ONCE = VARIANT_AT_ONCE };

/* Decodes n keys from `first` on side by side, with zeros in the remaining columns. */
static ifn_status decode_keys(const query *q, int64_t first, int64_t n)
{
    const int64_t dim = q->a->head_dim;
    memset(q->keys, 0, (size_t)(AT_ONCE * dim) * sizeof *q->keys);
    for (int64_t o = 0; o < n; o++) {
        IFN_TRY(decode(q, q->a->k_cache, first + o, q->k));
        for (int64_t i = 0; i < dim; i++)
            q->keys[i * AT_ONCE + o] = q->k[i];
    }
    return IFN_OK;
}

/* Computes the scores of the keys and their maximum. */
static ifn_status score_keys(const query *q, variant_range keys, float *scores, float *max)
{
    const variant_sums add_up = variant_sums_here();
    const int64_t n = keys.end - keys.begin;
    *max = -INFINITY;
    for (int64_t i = 0; i < n; i += AT_ONCE) {
        const int64_t some = n - i < AT_ONCE ? n - i : AT_ONCE;
        float sums[AT_ONCE];
        IFN_TRY(decode_keys(q, keys.begin + i, some));
        add_up(q->v, q->keys, AT_ONCE, q->a->q + vector_at(q), q->a->head_dim, sums);
        memcpy(scores + i, sums, (size_t)some * sizeof *scores);
    }
    for (int64_t i = 0; i < n; i++) {
        scores[i] *= q->a->scale;
        *max = scores[i] > *max ? scores[i] : *max;
    }
    return IFN_OK;
}

/* Computes the triple of one block. */
static ifn_status attend_block(const query *q, int64_t block, float *triple)
{
    static const float one = 1.0f;
    const variant_range keys = visible_keys(q, block);
    const int64_t n = keys.end - keys.begin, dim = q->a->head_dim;
    float weights[KEYS];
    IFN_TRY(score_keys(q, keys, weights, &triple[0]));
    for (int64_t i = 0; i < n; i++) {
        weights[i] = weigh(weights[i], triple[0]);
        IFN_TRY(decode(q, q->a->v_cache, keys.begin + i, q->values + i * dim));
    }
    const variant_terms t = {.a = weights, .a_stride = 1, .b = &one};
    triple[1] = variant_sum(q->v, &t, n);
    variant_sums_of_rows(q->v, q->values, dim, dim, weights, n, triple + 2);
    return IFN_OK;
}

static float *stored_triple(const query *q, int64_t block)
{
    const int64_t n_blocks = blocks_of(q->a->first_pos + q->a->rows);
    const int64_t index = (q->row * q->a->n_heads + q->head) * n_blocks + block;
    return q->a->partials + index * (2 + q->a->head_dim);
}

static void merge(float *max, float *sum, float *out, const float *triple, int64_t dim)
{
    const float larger = triple[0] > *max ? triple[0] : *max;
    const float keep = weigh(*max, larger), take = weigh(triple[0], larger);
    *max = larger;
    *sum = *sum * keep + triple[1] * take;
    for (int64_t c = 0; c < dim; c++)
        out[c] = out[c] * keep + triple[2 + c] * take;
}

/* Phases WHOLE and MERGE. */
static ifn_status attend(const query *q)
{
    const int64_t dim = q->a->head_dim;
    float *const out = q->a->out + vector_at(q);
    float max = -INFINITY, sum = 0.0f;
    for (int64_t c = 0; c < dim; c++)
        out[c] = 0.0f;
    for (int64_t block = 0; block < blocks_of(q->a->first_pos + q->row + 1); block++) {
        const bool is_whole = q->a->phase == IFN_ATTENTION_WHOLE;
        if (is_whole)
            IFN_TRY(attend_block(q, block, q->triple));
        merge(&max, &sum, out, is_whole ? q->triple : stored_triple(q, block), dim);
    }
    for (int64_t c = 0; c < dim; c++)
        out[c] = variant_round(q->v, q->v->a.output, out[c] / sum);
    return IFN_OK;
}

static ifn_status run_query(const query *q, variant_range blocks)
{
    if (q->a->phase != IFN_ATTENTION_PARTIALS)
        return attend(q);
    for (int64_t block = blocks.begin; block < blocks.end; block++)
        IFN_TRY(attend_block(q, block, stored_triple(q, block)));
    return IFN_OK;
}

ifn_status variant_attention(const variant *v, const ifn_attention_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_ATTENTION, &a->call, NULL));
    if (a->call.scratch_bytes < variant_attention_scratch_bytes(a->head_dim))
        return IFN_ERR_ARGUMENT;
    float *const scratch = a->call.scratch;
    const variant own = variant_in(v, IFN_OP_ATTENTION, a->cache_dtype);
    const variant_range heads = variant_part(a->part_begin, a->part_end, a->n_heads);
    const variant_range blocks =
        variant_part(a->part2_begin, a->part2_end, blocks_of(a->first_pos + a->rows));
    for (int64_t row = 0; row < a->rows; row++) {
        for (int64_t head = heads.begin; head < heads.end; head++) {
            const query q = {.v = &own,
                             .a = a,
                             .row = row,
                             .head = head,
                             .k = scratch,
                             .keys = scratch + a->head_dim,
                             .values = scratch + (1 + VARIANT_AT_ONCE) * a->head_dim,
                             .triple = scratch + (1 + VARIANT_AT_ONCE + KEYS) * a->head_dim};
            IFN_TRY(run_query(&q, blocks));
        }
    }
    return IFN_OK;
}
