/* Lists what irregular ops read and write: per weight, per head, per row of a triangle. */
#include "op_operands.h"

#include <inferno/signature_values.h>
#include <inferno/spans.h>

#include "min_max.h"

_Static_assert(IFN_LINEAR_MAX == 4, "one name per weight below");
static const char *const w_names[] = {"w[0]", "w[1]", "w[2]", "w[3]"};
static const char *const bias_names[] = {"bias[0]", "bias[1]", "bias[2]", "bias[3]"};
static const char *const out_names[] = {"out[0]", "out[1]", "out[2]", "out[3]"};

/* The arguments that linear and linear_q8 have in common: all but x. */
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

/* Makes the operand's rows lie `stride` elements of `bytes` bytes apart, instead of contiguously. */
static void spread(ifn_operand *operand, const void *base, int64_t first_row, int64_t stride,
                   size_t bytes)
{
    operand->stride_bytes = (size_t)stride * bytes;
    operand->data = (const char *)base + (size_t)first_row * operand->stride_bytes;
}

static void add_weight(ifn_operands *out, const linear_view *l, int64_t i, ifn_range features)
{
    const ifn_tensor *const w = l->w[i];
    const void *const base = l->packed[i] ? l->packed[i] : w->data;
    ifn_operand *const added = ifn_operand_rows(out, IFN_OPERAND_READ, w_names[i], base, w->dtype,
                                                w->shape[0], w->shape[1], features);
    if (!added)
        return;
    added->tensor = w;
    if (l->packed[i])
        added->data = NULL;
}

/* Narrows an operand of whole f32 rows to some columns. */
static void narrow(ifn_operand *operand, ifn_range cols)
{
    operand->data = (const float *)operand->data + cols.begin;
    operand->row_bytes = (size_t)(cols.end - cols.begin) * sizeof(float);
}

static void add_bias(ifn_operands *out, const linear_view *l, int64_t i, ifn_range features)
{
    const int64_t n = l->w[i]->shape[0];
    ifn_operand *const added = ifn_operand_rows(out, IFN_OPERAND_READ, bias_names[i], l->bias[i],
                                                IFN_DTYPE_F32, 1, n, (ifn_range){0, 1});
    if (!added)
        return;
    ifn_operand_shape(added, 1, n, 0, 0);
    narrow(added, features);
    added->stride_bytes = added->row_bytes;
}

static void add_output(ifn_operands *out, const linear_view *l, int64_t i, ifn_range features)
{
    ifn_operand *const added =
        ifn_operand_rows(out, IFN_OPERAND_WRITTEN, out_names[i], l->out[i], IFN_DTYPE_F32,
                         l->n_rows, l->w[i]->shape[0], l->rows);
    if (!added)
        return;
    spread(added, l->out[i], l->rows.begin, l->out_stride[i], sizeof(float));
    narrow(added, features);
}

/* Appends weights, biases and outputs. The features of each weight are counted from its own first one. */
static void add_linear(ifn_operands *out, const linear_view *l)
{
    for (int64_t i = 0; i < l->n_w; i++)
        add_weight(out, l, i, ifn_part_of_weight(l->part, l->w, i));
    for (int64_t i = 0; i < l->n_w; i++)
        add_bias(out, l, i, ifn_part_of_weight(l->part, l->w, i));
    for (int64_t i = 0; i < l->n_w; i++)
        add_output(out, l, i, ifn_part_of_weight(l->part, l->w, i));
}

/* Appends x, whose rows lie `stride` elements of `bytes` bytes apart. */
static void add_x(ifn_operands *out, ifn_op op, const ifn_call *args, ifn_range rows,
                  int64_t stride, size_t bytes)
{
    const ifn_op_arg *const x = ifn_op_arg_find(op, "x");
    ifn_operand *const added = ifn_operand_add(out, op, x, args);
    if (added)
        spread(added, ifn_arg_pointer(x, args, 0), rows.begin, stride, bytes);
}

static void operands_of_linear(ifn_operands *out, const ifn_linear_args *a)
{
    const linear_view view = LINEAR_VIEW(a);
    add_x(out, IFN_OP_LINEAR, &a->call, view.rows, a->x_stride, sizeof *a->x);
    add_linear(out, &view);
}

static void operands_of_linear_q8(ifn_operands *out, const ifn_linear_q8_args *a)
{
    const linear_view view = LINEAR_VIEW(a);
    add_x(out, IFN_OP_LINEAR_Q8, &a->call, view.rows, a->x_stride, sizeof *a->x);
    add_linear(out, &view);
}

static void operands_of_gather_rows(ifn_operands *out, const ifn_gather_rows_args *a)
{
    const ifn_tensor *const t = a->table;
    const ifn_range rows = IFN_PART(a, a->n);
    ifn_operand *const table =
        ifn_operand_rows(out, IFN_OPERAND_READ, "table", t->data ? t->data : a->packed, t->dtype,
                         t->shape[0], t->shape[1], (ifn_range){0, rows.end - rows.begin});
    if (table) {
        table->tensor = t;
        table->data = NULL; /* the rows are not at a constant stride */
    }
    ifn_operands_of_signature(out, IFN_OP_GATHER_ROWS, &a->call);
}

/* The number of elements in one row that lie right of column row + offset. */
static int64_t filled(const ifn_fill_strict_upper_tri_args *a, int64_t row)
{
    if (a->offset >= a->cols - row - 1)
        return 0;
    return a->offset < -row ? a->cols : a->cols - (row + a->offset + 1);
}

static void operands_of_fill_strict_upper_tri(ifn_operands *out,
                                              const ifn_fill_strict_upper_tri_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    int64_t n = 0;
    ifn_operands_of_signature(out, IFN_OP_FILL_STRICT_UPPER_TRI, &a->call);
    if (out->n == 0)
        return;
    for (int64_t r = rows.begin; r < rows.end; r++)
        n += filled(a, r);
    out->items[0].data = NULL; /* the elements form a triangle, not rows */
    out->items[0].rows = 1;
    out->items[0].row_bytes = (size_t)n * sizeof *a->x;
}

/* Rows in spans or pages have no constant stride, so only their number and size are given. */
static void operands_of_kv_store(ifn_operands *out, const ifn_kv_store_args *a)
{
    ifn_operands_of_signature(out, IFN_OP_KV_STORE, &a->call);
    for (size_t i = 0; (a->n_spans > 0 || a->page_rows > 0) && i < out->n; i++)
        if (out->items[i].role == IFN_OPERAND_WRITTEN)
            out->items[i].data = NULL;
}

/* The range of keys that a call reads: those of its key blocks up to the last one that its last row sees. With
 * spans it is only a count: all the keys that each span sees. */
static ifn_range keys_of(const ifn_attention_args *a)
{
    int64_t keys = a->first_pos + a->rows;
    for (int64_t i = 0; i < a->n_spans; i++)
        keys = (i > 0 ? keys : 0) + a->spans[i].first_pos + a->spans[i].rows;
    if (a->phase != IFN_ATTENTION_PARTIALS)
        return ifn_all_of(keys);
    const ifn_range blocks = IFN_PART2(a, ifn_attention_n_blocks(a));
    const int64_t begin = blocks.begin * IFN_ATTENTION_BLOCK;
    const int64_t end = ifn_min(blocks.end * IFN_ATTENTION_BLOCK, keys);
    return (ifn_range){begin, ifn_max(begin, end)}; /* empty: begin may lie past the last key */
}

/* The KV heads that query heads [begin, end) read. */
static ifn_range kv_heads_of(const ifn_attention_args *a, ifn_range heads)
{
    if (heads.begin == heads.end)
        return (ifn_range){0, 0};
    const int64_t group = a->n_heads / a->n_kv_heads;
    return (ifn_range){heads.begin / group, (heads.end - 1) / group + 1};
}

static void add_named(ifn_operands *out, const ifn_attention_args *a, const char *name)
{
    ifn_operand_add(out, IFN_OP_ATTENTION, ifn_op_arg_find(IFN_OP_ATTENTION, name), &a->call);
}

/* Appends a cache, as one row for each head: the positions of a head are contiguous. */
static void add_cache(ifn_operands *out, const ifn_attention_args *a, const char *name,
                      const void *base)
{
    const size_t pos_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const ifn_range keys = keys_of(a), heads = kv_heads_of(a, IFN_PART(a, a->n_heads));
    ifn_operand *const cache = ifn_operand_rows(out, IFN_OPERAND_READ, name, base, a->cache_dtype,
                                                a->n_kv_heads, a->max_pos * a->head_dim, heads);
    if (!cache)
        return;
    cache->row_bytes = (size_t)(keys.end - keys.begin) * pos_bytes;
    cache->data = a->n_spans > 0 || a->page_rows > 0
                      ? NULL
                      : (const char *)cache->data + (size_t)keys.begin * pos_bytes;
    ifn_operand_shape(cache, 3, a->n_kv_heads, a->max_pos, a->head_dim);
}

/* Appends partials, [rows, n_heads, blocks, 2 + head_dim]. A range of heads and of blocks has no constant stride. */
static void add_partials(ifn_operands *out, ifn_operand_role role, const ifn_attention_args *a)
{
    const int64_t blocks = ifn_attention_n_blocks(a), entry = 2 + a->head_dim;
    const ifn_range heads = IFN_PART(a, a->n_heads);
    const ifn_range part = role == IFN_OPERAND_WRITTEN ? IFN_PART2(a, blocks) : ifn_all_of(blocks);
    ifn_operand *const partials =
        ifn_operand_rows(out, role, "partials", a->partials, IFN_DTYPE_F32, a->rows * a->n_heads,
                         blocks * entry, ifn_all_of(a->rows * (heads.end - heads.begin)));
    if (!partials)
        return;
    partials->data = NULL;
    partials->row_bytes = (size_t)((part.end - part.begin) * entry) * sizeof(float);
    ifn_operand_shape(partials, 3, a->rows, a->n_heads, blocks * entry);
}

static void operands_of_attention(ifn_operands *out, const ifn_attention_args *a)
{
    if (a->phase == IFN_ATTENTION_MERGE) {
        add_partials(out, IFN_OPERAND_READ, a);
    } else {
        add_named(out, a, "q");
        add_cache(out, a, "k_cache", a->k_cache);
        add_cache(out, a, "v_cache", a->v_cache);
    }
    if (a->phase == IFN_ATTENTION_PARTIALS)
        add_partials(out, IFN_OPERAND_WRITTEN, a);
    else
        add_named(out, a, "out");
}

void ifn_op_operands(ifn_op op, const ifn_call *args, ifn_operands *out)
{
    const ifn_args *const a = (const ifn_args *)args;
    out->n = 0;
    switch (op) {
    case IFN_OP_LINEAR:
        operands_of_linear(out, &a->linear);
        break;
    case IFN_OP_LINEAR_Q8:
        operands_of_linear_q8(out, &a->linear_q8);
        break;
    case IFN_OP_GATHER_ROWS:
        operands_of_gather_rows(out, &a->gather_rows);
        break;
    case IFN_OP_FILL_STRICT_UPPER_TRI:
        operands_of_fill_strict_upper_tri(out, &a->fill_strict_upper_tri);
        break;
    case IFN_OP_KV_STORE:
        operands_of_kv_store(out, &a->kv_store);
        break;
    case IFN_OP_ATTENTION:
        operands_of_attention(out, &a->attention);
        break;
    default:
        ifn_operands_of_signature(out, op, args);
    }
}
