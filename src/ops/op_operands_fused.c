/* What the fused ops read and write, as include/inferno/ops.h says it. */
#include "op_operands.h"

_Static_assert(IFN_LINEAR_MAX == 4, "one name per weight below");
static const char *const w_names[] = {"w[0]", "w[1]", "w[2]", "w[3]"};
static const char *const bias_names[] = {"bias[0]", "bias[1]", "bias[2]", "bias[3]"};
static const char *const out_names[] = {"out[0]", "out[1]", "out[2]", "out[3]"};

/* f32 matrices named like their argument, in whole rows. */
#define WHOLE_ROWS(role, a, field, n_rows, n_cols, rows)                                           \
    ifn_operand_2d(out, IFN_OPERAND_##role, #field, (a)->field, n_rows, n_cols, rows,              \
                   ifn_all_of(n_cols))
#define VECTOR(role, a, field, n)                                                                  \
    ifn_operand_1d(out, IFN_OPERAND_##role, #field, (a)->field, n, ifn_all_of(n))
#define STORED(role, a, field, dtype, n_rows, n_cols, rows)                                        \
    ifn_operand_stored(out, IFN_OPERAND_##role, #field, (a)->field, dtype, n_rows, n_cols, rows)

/* What linear and linear_q8 have in common: all but x. */
typedef struct linear_view {
    int64_t n_w;
    const ifn_tensor *const *w;
    const void *const *packed;
    float *const *out;
    const float *const *bias;
    const int64_t *out_stride;
    int64_t n_rows;
    ifn_range rows, part; /* part: of the features of all weights, which lie end to end */
} linear_view;

#define LINEAR_VIEW(a)                                                                             \
    {                                                                                              \
        .n_w = (a)->n_w, .w = (a)->w, .packed = (a)->packed, .out = (a)->out, .bias = (a)->bias,   \
        .out_stride = (a)->out_stride, .n_rows = (a)->rows, .rows = IFN_PART2(a, (a)->rows),       \
        .part = IFN_PART(a, count_features((a)->w, (a)->n_w))                                      \
    }

static int64_t count_features(const ifn_tensor *const *w, int64_t n_w)
{
    int64_t n = 0;
    for (int64_t i = 0; i < n_w; i++)
        n += w[i]->shape[0];
    return n;
}

/* Rows `stride` elements of `bytes` bytes apart instead of one after the other. */
static void spread(ifn_operand *operand, const void *base, int64_t first_row, int64_t stride,
                   size_t bytes)
{
    if (!operand)
        return;
    operand->stride_bytes = (size_t)stride * bytes;
    operand->data = (const char *)base + (size_t)first_row * operand->stride_bytes;
}

static void add_weight(ifn_operands *out, const linear_view *l, int64_t i, ifn_range features)
{
    const ifn_tensor *const w = l->w[i];
    const void *const base = l->packed[i] ? l->packed[i] : w->data;
    ifn_operand *const added = ifn_operand_stored(out, IFN_OPERAND_READ, w_names[i], base, w->dtype,
                                                  w->shape[0], w->shape[1], features);
    if (!added)
        return;
    added->tensor = w;
    if (l->packed[i])
        added->data = NULL;
}

static void add_output(ifn_operands *out, const linear_view *l, int64_t i, ifn_range features)
{
    ifn_operand *const added = ifn_operand_2d(out, IFN_OPERAND_WRITTEN, out_names[i], l->out[i],
                                              l->n_rows, l->w[i]->shape[0], l->rows, features);
    if (added)
        spread(added, l->out[i] + features.begin, l->rows.begin, l->out_stride[i], sizeof(float));
}

static void add_linear(ifn_operands *out, const linear_view *l)
{
    ifn_range features[IFN_LINEAR_MAX]; /* of each weight, counted from its first */
    for (int64_t i = 0; i < l->n_w; i++) {
        features[i] = ifn_part_of_weight(l->part, l->w, i);
        add_weight(out, l, i, features[i]);
    }
    for (int64_t i = 0; i < l->n_w; i++)
        ifn_operand_1d(out, IFN_OPERAND_READ, bias_names[i], l->bias[i], l->w[i]->shape[0],
                       features[i]);
    for (int64_t i = 0; i < l->n_w; i++)
        add_output(out, l, i, features[i]);
}

void ifn_operands_linear(ifn_operands *out, const ifn_linear_args *a)
{
    const linear_view view = LINEAR_VIEW(a);
    spread(WHOLE_ROWS(READ, a, x, a->rows, a->k, view.rows), a->x, view.rows.begin, a->x_stride,
           sizeof *a->x);
    add_linear(out, &view);
}

void ifn_operands_linear_q8(ifn_operands *out, const ifn_linear_q8_args *a)
{
    const linear_view view = LINEAR_VIEW(a);
    spread(STORED(READ, a, x, IFN_DTYPE_Q8_32F, a->rows, a->k, view.rows), a->x, view.rows.begin,
           a->x_stride, sizeof *a->x);
    add_linear(out, &view);
}

void ifn_operands_quantize_rows(ifn_operands *out, const ifn_quantize_rows_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    WHOLE_ROWS(READ, a, x, a->rows, a->cols, rows);
    STORED(WRITTEN, a, out, a->out_dtype, a->rows, a->cols, rows);
}

void ifn_operands_dequantize_rows(ifn_operands *out, const ifn_dequantize_rows_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    STORED(READ, a, x, a->dtype, a->rows, a->cols, rows);
    WHOLE_ROWS(WRITTEN, a, out, a->rows, a->cols, rows);
}

void ifn_operands_rms_norm(ifn_operands *out, const ifn_rms_norm_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    WHOLE_ROWS(READ, a, x, a->rows, a->dim, rows);
    WHOLE_ROWS(READ, a, add, a->rows, a->dim, rows);
    VECTOR(READ, a, weight, a->dim);
    WHOLE_ROWS(WRITTEN, a, sum, a->rows, a->dim, rows);
    STORED(WRITTEN, a, out, a->out_dtype, a->rows, a->dim, rows);
}

void ifn_operands_swiglu(ifn_operands *out, const ifn_swiglu_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    WHOLE_ROWS(READ, a, gate, a->rows, a->dim, rows);
    WHOLE_ROWS(READ, a, up, a->rows, a->dim, rows);
    STORED(WRITTEN, a, out, a->out_dtype, a->rows, a->dim, rows);
}

/* Heads [begin, end) of [rows, n_heads, head_dim]. */
static void add_heads(ifn_operands *out, ifn_operand_role role, const char *name, const float *base,
                      const int64_t shape[3], ifn_range heads)
{
    const ifn_range cols = {heads.begin * shape[2], heads.end * shape[2]};
    ifn_operand_shape(ifn_operand_2d(out, role, name, base, shape[0], shape[1] * shape[2],
                                     ifn_all_of(shape[0]), cols),
                      3, shape[0], shape[1], shape[2]);
}

/* A cache [n_kv_heads, max_pos, head_dim]. */
typedef struct cache_view {
    ifn_dtype dtype;
    int64_t n_heads, max_pos, head_dim;
    ifn_range heads, positions; /* touched */
} cache_view;

/* The positions of one head lie side by side: a row for each head. */
static void add_cache(ifn_operands *out, ifn_operand_role role, const char *name, const void *base,
                      const cache_view *c)
{
    const size_t pos_bytes = ifn_dtype_row_bytes(c->dtype, c->head_dim);
    ifn_operand *const cache = ifn_operand_stored(out, role, name, base, c->dtype, c->n_heads,
                                                  c->max_pos * c->head_dim, c->heads);
    if (!cache)
        return;
    cache->row_bytes = (size_t)(c->positions.end - c->positions.begin) * pos_bytes;
    cache->data = (const char *)cache->data + (size_t)c->positions.begin * pos_bytes;
    ifn_operand_shape(cache, 3, c->n_heads, c->max_pos, c->head_dim);
}

void ifn_operands_kv_store(ifn_operands *out, const ifn_kv_store_args *a)
{
    const int64_t shape[] = {a->rows, a->n_kv_heads, a->head_dim};
    const cache_view cache = {.dtype = a->cache_dtype,
                              .n_heads = a->n_kv_heads,
                              .max_pos = a->max_pos,
                              .head_dim = a->head_dim,
                              .heads = IFN_PART(a, a->n_kv_heads),
                              .positions = {a->first_pos, a->first_pos + a->rows}};
    add_heads(out, IFN_OPERAND_READ, "k", a->k, shape, cache.heads);
    add_heads(out, IFN_OPERAND_READ, "v", a->v, shape, cache.heads);
    add_cache(out, IFN_OPERAND_WRITTEN, "k_cache", a->k_cache, &cache);
    add_cache(out, IFN_OPERAND_WRITTEN, "v_cache", a->v_cache, &cache);
}

static int64_t n_blocks(const ifn_attention_args *a)
{
    const int64_t keys = a->first_pos + a->rows;
    return keys / IFN_ATTENTION_BLOCK + (keys % IFN_ATTENTION_BLOCK != 0);
}

/* The keys of a call: those of its blocks, as far as its last row sees. */
static ifn_range keys_of(const ifn_attention_args *a)
{
    const int64_t keys = a->first_pos + a->rows;
    if (a->phase != IFN_ATTENTION_PARTIALS)
        return ifn_all_of(keys);
    const ifn_range blocks = IFN_PART2(a, n_blocks(a));
    const int64_t end = blocks.end * IFN_ATTENTION_BLOCK;
    return (ifn_range){blocks.begin * IFN_ATTENTION_BLOCK, end < keys ? end : keys};
}

/* The KV heads that query heads [begin, end) read. */
static ifn_range kv_heads_of(const ifn_attention_args *a, ifn_range heads)
{
    if (heads.begin == heads.end)
        return (ifn_range){0, 0};
    const int64_t group = a->n_heads / a->n_kv_heads;
    return (ifn_range){heads.begin / group, (heads.end - 1) / group + 1};
}

/* [rows, n_heads, blocks, 2 + head_dim]; a range of heads and of blocks is no set of rows. */
static void add_partials(ifn_operands *out, ifn_operand_role role, const ifn_attention_args *a,
                         ifn_range heads)
{
    const int64_t blocks = n_blocks(a), entry = 2 + a->head_dim;
    const ifn_range part = role == IFN_OPERAND_WRITTEN ? IFN_PART2(a, blocks) : ifn_all_of(blocks);
    ifn_operand *const partials =
        ifn_operand_2d(out, role, "partials", a->partials, a->rows * a->n_heads, blocks * entry,
                       ifn_all_of(a->rows * (heads.end - heads.begin)),
                       (ifn_range){part.begin * entry, part.end * entry});
    if (!partials)
        return;
    partials->data = NULL;
    ifn_operand_shape(partials, 3, a->rows, a->n_heads, blocks * entry);
}

static void add_keys(ifn_operands *out, const ifn_attention_args *a, const int64_t shape[3],
                     ifn_range heads)
{
    const ifn_range keys = keys_of(a);
    const cache_view cache = {.dtype = a->cache_dtype,
                              .n_heads = a->n_kv_heads,
                              .max_pos = a->max_pos,
                              .head_dim = a->head_dim,
                              .heads = kv_heads_of(a, heads),
                              .positions = keys};
    add_heads(out, IFN_OPERAND_READ, "q", a->q, shape, heads);
    add_cache(out, IFN_OPERAND_READ, "k_cache", a->k_cache, &cache);
    add_cache(out, IFN_OPERAND_READ, "v_cache", a->v_cache, &cache);
}

void ifn_operands_attention(ifn_operands *out, const ifn_attention_args *a)
{
    const int64_t shape[] = {a->rows, a->n_heads, a->head_dim};
    const ifn_range heads = IFN_PART(a, a->n_heads);
    if (a->phase == IFN_ATTENTION_MERGE)
        add_partials(out, IFN_OPERAND_READ, a, heads);
    else
        add_keys(out, a, shape, heads);
    if (a->phase == IFN_ATTENTION_PARTIALS)
        add_partials(out, IFN_OPERAND_WRITTEN, a, heads);
    else
        add_heads(out, IFN_OPERAND_WRITTEN, "out", a->out, shape, heads);
}

void ifn_operands_copy_in(ifn_operands *out, const ifn_copy_in_args *a)
{
    const ifn_range all = ifn_all_of((int64_t)a->bytes);
    ifn_operand_raw(out, IFN_OPERAND_READ, "host", a->host, all.end, 1, all);
    ifn_operand_raw(out, IFN_OPERAND_WRITTEN, "out", a->out, all.end, 1, all);
}
