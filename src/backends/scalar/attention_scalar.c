/*
 * attention: softmax(scale * q k^T) v over the visible keys, in blocks of 256 absolute positions.
 *
 * For each block the code computes the maximum first, then the sum of exponentials and the accumulator
 * over ascending keys. Blocks merge in ascending order into a running (max, sum, out). The accumulator of
 * a block is computed a few components at a time, so that no buffer depends on head_dim; WHOLE merges
 * them at once, PARTIALS stores them and MERGE reads them back: the same arithmetic.
 */
#include "attention_scalar.h"

#include <math.h>
#include <string.h>

#include <inferno/quant.h>

#include "min_max.h"

enum {
    KEYS = IFN_ATTENTION_BLOCK,
    CHUNK = 256, /* components decoded at a time: whole blocks of every cache dtype */
    AT_ONCE = 8, /* keys whose scores are computed together */
    HEADS = 8    /* query heads of one KV head that a decoded key or value serves */
};

typedef struct block_weights {
    float max, sum;
    float weight[KEYS]; /* first the scores, then e^(score - max) in their place */
} block_weights;

/* The running maximum and sum over the blocks so far; the accumulator is in out. */
typedef struct running {
    float max, sum;
} running;

/* Query heads of one row, at most HEADS, that read the same KV head. */
typedef struct query {
    const ifn_attention_args *a;
    int64_t row;
    ifn_range heads;
    int64_t kv_head;
    size_t row_bytes; /* of the cache */
} query;

static int64_t n_heads_of(const query *q)
{
    return q->heads.end - q->heads.begin;
}

/* e^(score - max), and exactly 0 for a score of -inf, even if the maximum is -inf as well. */
static float weigh(float score, float max)
{
    return score == -INFINITY ? 0.0f : expf(score - max);
}

/* The offset of the i-th head's vector in q and out. */
static int64_t vector_at(const query *q, int64_t i)
{
    return (q->row * q->a->n_heads + q->heads.begin + i) * q->a->head_dim;
}

/* Decodes components [from, from + n) of the row of the key at `pos`. It cannot fail: the dtype and head_dim
 * fit. */
static void decode(const query *q, const void *cache, int64_t pos, int64_t from, int64_t n,
                   float *out)
{
    const ifn_attention_args *const a = q->a;
    const int64_t row = q->kv_head * a->max_pos + ifn_page_row(a->pages, a->page_rows, pos);
    const size_t before = from > 0 ? ifn_dtype_row_bytes(a->cache_dtype, from) : 0;
    const unsigned char *const at =
        (const unsigned char *)cache + (size_t)row * q->row_bytes + before;
    (void)ifn_dequantize_row(a->cache_dtype, at, out, n);
}

/* sums[i] += x[0 .. n) k[i]^T: sums side by side, each over ascending components */
static void add_products(const float *x, const float (*k)[CHUNK], int64_t n, float *sums)
{
    float s[AT_ONCE];
    memcpy(s, sums, sizeof s);
    for (int64_t c = 0; c < n; c++)
        for (int i = 0; i < AT_ONCE; i++)
            s[i] += x[c] * k[i][c];
    memcpy(sums, s, sizeof s);
}

/* Computes the scores of n keys, at most AT_ONCE, from `first` on: block[i].weight[at + ...] for the i-th head. Rows
 * of k without a key hold zeros. */
static void score(const query *q, int64_t first, int64_t n, int64_t at, block_weights *block)
{
    const int64_t head_dim = q->a->head_dim;
    float sums[HEADS][AT_ONCE] = {{0.0f}};
    for (int64_t from = 0; from < head_dim; from += CHUNK) {
        const int64_t dim = ifn_min(CHUNK, head_dim - from);
        float k[AT_ONCE][CHUNK];
        for (int64_t i = 0; i < n; i++)
            decode(q, q->a->k_cache, first + i, from, dim, k[i]);
        for (int64_t i = n; i < AT_ONCE; i++)
            memset(k[i], 0, (size_t)dim * sizeof k[i][0]);
        for (int64_t i = 0; i < n_heads_of(q); i++)
            add_products(q->a->q + vector_at(q, i) + from, (const float(*)[CHUNK])k, dim, sums[i]);
    }
    for (int64_t i = 0; i < n_heads_of(q); i++)
        for (int64_t t = 0; t < n; t++)
            block[i].weight[at + t] = q->a->scale * sums[i][t];
}

/* Turns scores into weights. */
static void exponentiate(block_weights *block, int64_t n_keys)
{
    block->max = -INFINITY;
    for (int64_t t = 0; t < n_keys; t++)
        if (block->weight[t] > block->max)
            block->max = block->weight[t];
    block->sum = 0.0f;
    for (int64_t t = 0; t < n_keys; t++) {
        block->weight[t] = weigh(block->weight[t], block->max);
        block->sum += block->weight[t];
    }
}

/* block[i]: of the i-th head */
static void weigh_block(const query *q, ifn_range keys, block_weights *block)
{
    const int64_t n = keys.end - keys.begin;
    for (int64_t t = 0; t < n; t += AT_ONCE)
        score(q, keys.begin + t, ifn_min(AT_ONCE, n - t), t, block);
    for (int64_t i = 0; i < n_heads_of(q); i++)
        exponentiate(&block[i], n);
}

/* acc[i][c] = sum_t block[i].weight[t] * v[t][from + c], ascending t */
static void accumulate(const query *q, ifn_range keys, const block_weights *block, int64_t from,
                       int64_t n, float (*acc)[CHUNK])
{
    for (int64_t i = 0; i < n_heads_of(q); i++)
        memset(acc[i], 0, (size_t)n * sizeof acc[i][0]);
    for (int64_t t = keys.begin; t < keys.end; t++) {
        float v[CHUNK];
        decode(q, q->a->v_cache, t, from, n, v);
        for (int64_t i = 0; i < n_heads_of(q); i++) {
            const float weight = block[i].weight[t - keys.begin];
            for (int64_t c = 0; c < n; c++)
                acc[i][c] += weight * v[c];
        }
    }
}

/* The factors of the running values and of the block's values: merged = keep * old + take * new. */
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

static void attend_block(const query *q, int64_t block, running *run)
{
    block_weights weights[HEADS];
    merge_factors f[HEADS];
    const ifn_range keys = ifn_scalar_visible_keys(block, q->a->first_pos + q->row);
    weigh_block(q, keys, weights);
    for (int64_t i = 0; i < n_heads_of(q); i++)
        f[i] = merge(&run[i], weights[i].max, weights[i].sum);
    for (int64_t from = 0; from < q->a->head_dim; from += CHUNK) {
        float acc[HEADS][CHUNK];
        const int64_t n = ifn_min(CHUNK, q->a->head_dim - from);
        accumulate(q, keys, weights, from, n, acc);
        for (int64_t i = 0; i < n_heads_of(q); i++)
            merge_accumulator(q->a->out + vector_at(q, i) + from, acc[i], f[i], n);
    }
}

static void merge_block(const query *q, int64_t block, running *run)
{
    for (int64_t i = 0; i < n_heads_of(q); i++) {
        const float *const partial = ifn_scalar_partial_at(q->a, q->row, q->heads.begin + i, block);
        const merge_factors f = merge(&run[i], partial[0], partial[1]);
        merge_accumulator(q->a->out + vector_at(q, i), partial + 2, f, q->a->head_dim);
    }
}

/* Phases WHOLE and MERGE. If all visible scores are -inf, the sum is 0, and 0/0 gives the NaN that the contract
 * wants. */
static void attend(const query *q)
{
    running run[HEADS];
    const int64_t n_keys = q->a->first_pos + q->row + 1;
    for (int64_t i = 0; i < n_heads_of(q); i++) {
        run[i] = (running){-INFINITY, 0.0f};
        memset(q->a->out + vector_at(q, i), 0, (size_t)q->a->head_dim * sizeof *q->a->out);
    }
    for (int64_t block = 0; block < ifn_scalar_attention_blocks(n_keys); block++) {
        if (q->a->phase == IFN_ATTENTION_MERGE)
            merge_block(q, block, run);
        else
            attend_block(q, block, run);
    }
    for (int64_t i = 0; i < n_heads_of(q); i++)
        for (int64_t c = 0; c < q->a->head_dim; c++)
            q->a->out[vector_at(q, i) + c] /= run[i].sum;
}

/* Blocks past the row are stored too, as blocks without keys: (-inf, 0, zeros). */
static void store_partial(const query *q, int64_t block)
{
    block_weights weights[HEADS];
    const ifn_range keys = ifn_scalar_visible_keys(block, q->a->first_pos + q->row);
    weigh_block(q, keys, weights);
    for (int64_t i = 0; i < n_heads_of(q); i++) {
        float *const partial = ifn_scalar_partial_at(q->a, q->row, q->heads.begin + i, block);
        partial[0] = weights[i].max;
        partial[1] = weights[i].sum;
    }
    for (int64_t from = 0; from < q->a->head_dim; from += CHUNK) {
        float acc[HEADS][CHUNK];
        const int64_t n = ifn_min(CHUNK, q->a->head_dim - from);
        accumulate(q, keys, weights, from, n, acc);
        for (int64_t i = 0; i < n_heads_of(q); i++)
            memcpy(ifn_scalar_partial_at(q->a, q->row, q->heads.begin + i, block) + 2 + from,
                   acc[i], (size_t)n * sizeof acc[i][0]);
    }
}

/* A query of the first of `heads` and those after it that share its KV head, at most HEADS. */
static query first_of(const ifn_attention_args *a, int64_t row, ifn_range heads)
{
    const int64_t kv_head = heads.begin / (a->n_heads / a->n_kv_heads);
    const int64_t group_end = (kv_head + 1) * (a->n_heads / a->n_kv_heads);
    const int64_t most = ifn_min(heads.begin + HEADS, heads.end);
    return (query){.a = a,
                   .row = row,
                   .heads = {heads.begin, ifn_min(group_end, most)},
                   .kv_head = kv_head,
                   .row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim)};
}

static void run_query(const query *q, ifn_range blocks)
{
    if (q->a->phase != IFN_ATTENTION_PARTIALS) {
        attend(q);
        return;
    }
    for (int64_t block = blocks.begin; block < blocks.end; block++)
        store_partial(q, block);
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
        for (ifn_range left = heads; left.begin < left.end;) {
            const query q = first_of(a, row, left);
            run_query(&q, blocks);
            left.begin = q.heads.end;
        }
    }
    return IFN_OK;
}
