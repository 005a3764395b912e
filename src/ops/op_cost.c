#include "op_cost.h"

static int64_t length(ifn_range r)
{
    return r.end - r.begin;
}

/* Operations to decode or encode one element: one product if the dtype is made of blocks, else none. */
static int64_t conversion(ifn_dtype dtype)
{
    return ifn_dtype_is_quantized(dtype);
}

/* How many elements of this operand the call writes. */
static int64_t elements(const ifn_operand *o)
{
    if (o->dtype == IFN_DTYPE_COUNT)
        return 0;
    return o->rows * (int64_t)(o->row_bytes / ifn_dtype_block_bytes(o->dtype)) *
           ifn_dtype_block_elements(o->dtype);
}

static int64_t flops_matmul(const ifn_matmul_args *a)
{
    return 2 * a->n * length(IFN_PART(a, a->m)) * length(IFN_PART2(a, a->p));
}

static int64_t flops_sum_squares_axis(const ifn_sum_squares_axis_args *a)
{
    const ifn_range left = IFN_PART(a, a->axis == 1 ? a->rows : a->cols);
    return 2 * length(left) * (a->axis == 1 ? a->cols : a->rows);
}

static int64_t flops_quantize_rows(const ifn_quantize_rows_args *a)
{
    return length(IFN_PART(a, a->rows)) * a->cols * conversion(a->out_dtype);
}

static int64_t flops_rms_norm(const ifn_rms_norm_args *a)
{
    const int64_t rows = length(IFN_PART(a, a->rows));
    /* per element: x + add; the square and its sum; two products. Per row: / dim, + eps, sqrt, 1 / x. */
    const int64_t each = (a->add != NULL) + 2 + 2 + conversion(a->out_dtype);
    return rows * (each * a->dim + 4);
}

/* Counts sums of k products, 2 k operations each; a bias is one more operation. */
static int64_t flops_of_weights(const ifn_tensor *const *w, const float *const *bias, int64_t n_w,
                                ifn_range features, int64_t rows, int64_t k)
{
    int64_t flops = 0;
    for (int64_t i = 0; i < n_w; i++)
        flops += rows * length(ifn_part_of_weight(features, w, i)) * (2 * k + (bias[i] != NULL));
    return flops;
}

static int64_t flops_linear(const ifn_linear_args *a)
{
    const ifn_range features = IFN_PART(a, ifn_op_extent(IFN_OP_LINEAR, &a->call, 0));
    return flops_of_weights(a->w, a->bias, a->n_w, features, length(IFN_PART2(a, a->rows)), a->k);
}

static int64_t flops_linear_q8(const ifn_linear_q8_args *a)
{
    const ifn_range features = IFN_PART(a, ifn_op_extent(IFN_OP_LINEAR_Q8, &a->call, 0));
    return flops_of_weights(a->w, a->bias, a->n_w, features, length(IFN_PART2(a, a->rows)), a->k);
}

/* sum_{i < rows} min(first + i + 1, end): how many of the keys below `end` the rows see. */
static int64_t visible_below(int64_t first, int64_t rows, int64_t end)
{
    const int64_t partly = end <= first ? 0 : end - first < rows ? end - first : rows;
    return partly * first + partly * (partly + 1) / 2 + (rows - partly) * end;
}

/* Counts the operations for `rows` rows of one sequence, the first at `first_pos`. */
static int64_t flops_attention_at(const ifn_attention_args *a, int64_t first_pos, int64_t rows)
{
    const int64_t keys = first_pos + rows, heads = length(IFN_PART(a, a->n_heads));
    const int64_t block = IFN_ATTENTION_BLOCK;
    if (a->phase == IFN_ATTENTION_MERGE) /* two products and a sum for each part of a block */
        return 3 * rows * heads * ((keys + block - 1) / block) * (1 + a->head_dim);
    ifn_range seen = {0, keys};
    if (a->phase == IFN_ATTENTION_PARTIALS) {
        const ifn_range blocks = IFN_PART2(a, (keys + block - 1) / block);
        seen = (ifn_range){blocks.begin * block,
                           blocks.end * block < keys ? blocks.end * block : keys};
    }
    const int64_t pairs =
        visible_below(first_pos, rows, seen.end) - visible_below(first_pos, rows, seen.begin);
    return heads * pairs * (4 * a->head_dim + 4); /* q k, p v; * scale, - max, e^, + */
}

static int64_t flops_attention(const ifn_attention_args *a)
{
    int64_t flops = a->n_spans > 0 ? 0 : flops_attention_at(a, a->first_pos, a->rows);
    for (int64_t i = 0; i < a->n_spans; i++)
        flops += flops_attention_at(a, a->spans[i].first_pos, a->spans[i].rows);
    return flops;
}

/* Counts `each` operations for every element written, plus those for encoding it and decoding its inputs. */
static int64_t flops_written(const ifn_operands *operands, int64_t each)
{
    int64_t flops = 0;
    for (size_t i = 0; i < operands->n; i++)
        if (operands->items[i].role == IFN_OPERAND_READ)
            each += conversion(operands->items[i].dtype);
    for (size_t i = 0; i < operands->n; i++) {
        const ifn_operand *const o = &operands->items[i];
        if (o->role == IFN_OPERAND_WRITTEN)
            flops += elements(o) * (each + conversion(o->dtype));
    }
    return flops;
}

/* Macros for the words in which ops.h states costs. An op without a cost does not compile. */
#define EACH(simple, slow) flops_written(operands, (simple) + (slow))
#define OWN(op)            flops_##op(a)

static int64_t flops_of(ifn_op op, const ifn_call *args, const ifn_operands *operands)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME: {                                                                          \
        const ifn_##name##_args *const a = (const ifn_##name##_args *)args;                        \
        (void)a;                                                                                   \
        return IFN_COST_##name;                                                                    \
    }
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return 0;
}

ifn_op_cost ifn_op_cost_of(ifn_op op, const ifn_call *args, const ifn_operands *operands)
{
    ifn_op_cost cost = {.flops = (uint64_t)flops_of(op, args, operands)};
    for (size_t i = 0; i < operands->n; i++) {
        const ifn_operand *const o = &operands->items[i];
        const uint64_t bytes = (uint64_t)o->rows * o->row_bytes;
        const uint64_t n = o->dtype == IFN_DTYPE_COUNT ? bytes / 4 : (uint64_t)elements(o);
        cost.bytes += bytes;
        cost.elements = n > cost.elements ? n : cost.elements;
    }
    return cost;
}

ifn_status ifn_op_count_cost(ifn_op op, const ifn_call *args, ifn_op_cost *out, ifn_error *err)
{
    ifn_operands operands = {0};
    *out = (ifn_op_cost){0};
    IFN_TRY(ifn_op_check(op, args, err));
    ifn_op_operands(op, args, &operands);
    *out = ifn_op_cost_of(op, args, &operands);
    return IFN_OK;
}
