/*
 * attention: softmax(scale * q k^T) v over the visible keys, in blocks of 256 absolute positions.
 *
 * A block first takes its maximum, then the sum of its exponentials and its accumulator over
 * ascending keys. Blocks merge in ascending order into a running (max, sum, out). The accumulator
 * of a block is formed a few components at a time, so that no buffer depends on head_dim; WHOLE
 * merges those at once, PARTIALS stores them and MERGE reads them back: the same arithmetic.
 */
#include "attention_scalar.h"

#include <math.h>

#include <inferno/quant.h>

#include "min_max.h"

enum {
    KEYS = IFN_ATTENTION_BLOCK,
    CHUNK = 256 /* components decoded at a time: whole blocks of every cache dtype */
};

typedef struct block_weights {
    float max, sum;
    float weight[KEYS]; /* e^(score - max); while they are formed, the scores */
} block_weights;

/* What the blocks so far add up to, relative to their largest score; the third part is in out. */
typedef struct running {
    float max, sum;
} running;

/* e^(score - max), and exactly 0 for a score of -inf even where the maximum is -inf as well. */
static float weigh(float score, float max)
{
    return score == -INFINITY ? 0.0f : expf(score - max);
}

/* Where the vector of (row, head) begins in q and out. */
static int64_t vector_at(const ifn_attention_args *a, int64_t row, int64_t head)
{
    return (row * a->n_heads + head) * a->head_dim;
}

/* A cache as query head `head` reads it. */
typedef struct head_rows {
    const ifn_attention_args *a;
    const unsigned char *cache;
    int64_t first; /* row of the cache */
    size_t row_bytes;
} head_rows;

static head_rows rows_of(const ifn_attention_args *a, const void *cache, int64_t head)
{
    const int64_t kv_head = head * a->n_kv_heads / a->n_heads;
    return (head_rows){a, cache, kv_head * a->max_pos,
                       ifn_dtype_row_bytes(a->cache_dtype, a->head_dim)};
}

/* Components [from, from + n) of the row of the key at `pos`. It cannot fail: the dtype and head_dim
 * fit. */
static void decode(const head_rows *rows, int64_t pos, int64_t from, int64_t n, float *out)
{
    const ifn_attention_args *const a = rows->a;
    const int64_t row = rows->first + ifn_page_row(a->pages, a->page_rows, pos);
    const size_t before = from > 0 ? ifn_dtype_row_bytes(a->cache_dtype, from) : 0;
    const unsigned char *const at = rows->cache + (size_t)row * rows->row_bytes + before;
    (void)ifn_dequantize_row(a->cache_dtype, at, out, n);
}

static float score(const head_rows *keys, const float *q, int64_t pos)
{
    const int64_t head_dim = keys->a->head_dim;
    float sum = 0.0f;
    for (int64_t from = 0; from < head_dim; from += CHUNK) {
        const int64_t n = ifn_min(CHUNK, head_dim - from);
        float k[CHUNK];
        decode(keys, pos, from, n, k);
        for (int64_t c = 0; c < n; c++)
            sum += q[from + c] * k[c];
    }
    return keys->a->scale * sum;
}

static void weigh_block(const ifn_attention_args *a, int64_t row, int64_t head, ifn_range keys,
                        block_weights *block)
{
    const head_rows rows = rows_of(a, a->k_cache, head);
    block->max = -INFINITY;
    for (int64_t t = keys.begin; t < keys.end; t++) {
        const float s = score(&rows, a->q + vector_at(a, row, head), t);
        block->weight[t - keys.begin] = s;
        if (s > block->max)
            block->max = s;
    }
    block->sum = 0.0f;
    for (int64_t i = 0; i < keys.end - keys.begin; i++) {
        block->weight[i] = weigh(block->weight[i], block->max);
        block->sum += block->weight[i];
    }
}

/* acc[c] = sum_t weight[t] * v[t][from + c], ascending t */
static void accumulate(const ifn_attention_args *a, int64_t head, ifn_range keys,
                       const block_weights *block, int64_t from, int64_t n, float *acc)
{
    const head_rows rows = rows_of(a, a->v_cache, head);
    for (int64_t c = 0; c < n; c++)
        acc[c] = 0.0f;
    for (int64_t t = keys.begin; t < keys.end; t++) {
        float v[CHUNK];
        decode(&rows, t, from, n, v);
        const float weight = block->weight[t - keys.begin];
        for (int64_t c = 0; c < n; c++)
            acc[c] += weight * v[c];
    }
}

/* How much of the running values and of the block's to take: merged = keep * old + take * new. */
typedef struct merge_factors {
    float keep, take;
} merge_factors;

static merge_factors merge(running *run, float block_max, float block_sum)
{
    const float max = block_max > run->max ? block_max : run->max;
    const merge_factors f = {weigh(run->max, max), weigh(block_max, max)};
    run->max = max;
    run->sum = run->sum * f.keep + block_sum * f.take;
    return f;
}

static void merge_accumulator(float *out, const float *acc, merge_factors f, int64_t n)
{
    for (int64_t c = 0; c < n; c++)
        out[c] = out[c] * f.keep + acc[c] * f.take;
}

static void attend_block(const ifn_attention_args *a, int64_t row, int64_t head, int64_t block,
                         running *run)
{
    block_weights weights;
    const ifn_range keys = ifn_scalar_visible_keys(block, a->first_pos + row);
    weigh_block(a, row, head, keys, &weights);
    const merge_factors f = merge(run, weights.max, weights.sum);
    for (int64_t from = 0; from < a->head_dim; from += CHUNK) {
        float acc[CHUNK];
        const int64_t n = ifn_min(CHUNK, a->head_dim - from);
        accumulate(a, head, keys, &weights, from, n, acc);
        merge_accumulator(a->out + vector_at(a, row, head) + from, acc, f, n);
    }
}

static void merge_block(const ifn_attention_args *a, int64_t row, int64_t head, int64_t block,
                        running *run)
{
    const float *const partial = ifn_scalar_partial_at(a, row, head, block);
    const merge_factors f = merge(run, partial[0], partial[1]);
    merge_accumulator(a->out + vector_at(a, row, head), partial + 2, f, a->head_dim);
}

/* Phases WHOLE and MERGE. Nothing visible but -inf leaves a sum of 0, and 0/0 is the NaN due. */
static void attend(const ifn_attention_args *a, int64_t row, int64_t head)
{
    running run = {-INFINITY, 0.0f};
    float *const out = a->out + vector_at(a, row, head);
    for (int64_t c = 0; c < a->head_dim; c++)
        out[c] = 0.0f;
    for (int64_t block = 0; block < ifn_scalar_attention_blocks(a->first_pos + row + 1); block++) {
        if (a->phase == IFN_ATTENTION_MERGE)
            merge_block(a, row, head, block, &run);
        else
            attend_block(a, row, head, block, &run);
    }
    for (int64_t c = 0; c < a->head_dim; c++)
        out[c] /= run.sum;
}

/* Blocks past the row are stored too, as blocks without keys: (-inf, 0, zeros). */
static void store_partial(const ifn_attention_args *a, int64_t row, int64_t head, int64_t block)
{
    block_weights weights;
    const ifn_range keys = ifn_scalar_visible_keys(block, a->first_pos + row);
    float *const partial = ifn_scalar_partial_at(a, row, head, block);
    weigh_block(a, row, head, keys, &weights);
    partial[0] = weights.max;
    partial[1] = weights.sum;
    for (int64_t from = 0; from < a->head_dim; from += CHUNK)
        accumulate(a, head, keys, &weights, from, ifn_min(CHUNK, a->head_dim - from),
                   partial + 2 + from);
}

ifn_status ifn_scalar_attention(ifn_backend *self, const ifn_attention_args *a)
{
    if (a->n_spans != 0)
        return ifn_attention_by_spans(self, a, ifn_scalar_attention);
    if (!ifn_scalar_attention_fits(a))
        return IFN_ERR_SHAPE;
    if (a->head_dim == 0 && a->phase != IFN_ATTENTION_PARTIALS)
        return IFN_OK;
    const ifn_range heads = ifn_part(a->part_begin, a->part_end, a->n_heads);
    const ifn_range blocks =
        ifn_part(a->part2_begin, a->part2_end, ifn_scalar_attention_blocks(a->first_pos + a->rows));
    for (int64_t row = 0; row < a->rows; row++) {
        for (int64_t head = heads.begin; head < heads.end; head++) {
            if (a->phase != IFN_ATTENTION_PARTIALS) {
                attend(a, row, head);
                continue;
            }
            for (int64_t block = blocks.begin; block < blocks.end; block++)
                store_partial(a, row, head, block);
        }
    }
    return IFN_OK;
}
