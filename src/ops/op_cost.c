#include "op_cost.h"

static int64_t length(ifn_range r)
{
    return r.end - r.begin;
}

/* One product for each element of a type made of blocks. */
static int64_t conversion(ifn_dtype dtype)
{
    return ifn_dtype_is_quantized(dtype);
}

/* Sums of `terms` products each, `bias` (0 or 1) added. */
static int64_t products(int64_t n, int64_t terms, int64_t bias)
{
    return n * (2 * terms + bias);
}

static int64_t flops_matmul(const ifn_matmul_args *a)
{
    return products(length(IFN_PART(a, a->m)) * length(IFN_PART2(a, a->p)), a->n, 0);
}

/* flops_add, ...: `each` for an element. */
#define ELEMENTWISE(name, each)                                                                    \
    static int64_t flops_##name(const ifn_##name##_args *a)                                        \
    {                                                                                              \
        return (each)*length(IFN_PART(a, a->n));                                                   \
    }
ELEMENTWISE(add, 1)
ELEMENTWISE(hadamard, 1)
ELEMENTWISE(scale, 1)
ELEMENTWISE(add_scalar, 1)
ELEMENTWISE(silu, 3)       /* x / (1 + e^-x) */
ELEMENTWISE(rsqrt_elem, 2) /* 1 / sqrt(x) */
#undef ELEMENTWISE

static int64_t flops_sum_squares_axis(const ifn_sum_squares_axis_args *a)
{
    const int64_t kept = a->axis == 1 ? a->rows : a->cols;
    return products(length(IFN_PART(a, kept)), a->axis == 1 ? a->cols : a->rows, 0);
}

static int64_t flops_softmax_rows(const ifn_softmax_rows_args *a)
{
    return 4 * length(IFN_PART(a, a->rows)) * a->cols; /* - max, e^, +, / sum */
}

static int64_t flops_gather_rows(const ifn_gather_rows_args *a)
{
    return conversion(a->table->dtype) * length(IFN_PART(a, a->n)) * a->table->shape[1];
}

/* Two elements turn by four products and two sums. */
static int64_t flops_apply_rope(const ifn_apply_rope_args *a)
{
    return 3 * length(IFN_PART(a, a->rows)) * a->n_heads * a->head_dim;
}

static int64_t flops_apply_rope_single_row(const ifn_apply_rope_single_row_args *a)
{
    return 3 * length(IFN_PART(a, a->n_heads)) * a->head_dim;
}

static int64_t flops_of_weights(const ifn_tensor *const *w, const float *const *bias, int64_t n_w,
                                ifn_range features, int64_t rows, int64_t k)
{
    int64_t flops = 0;
    for (int64_t i = 0; i < n_w; i++)
        flops += products(rows * length(ifn_part_of_weight(features, w, i)), k, bias[i] != NULL);
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

static int64_t flops_quantize_rows(const ifn_quantize_rows_args *a)
{
    return conversion(a->out_dtype) * length(IFN_PART(a, a->rows)) * a->cols;
}

static int64_t flops_dequantize_rows(const ifn_dequantize_rows_args *a)
{
    return conversion(a->dtype) * length(IFN_PART(a, a->rows)) * a->cols;
}

static int64_t flops_rms_norm(const ifn_rms_norm_args *a)
{
    const int64_t rows = length(IFN_PART(a, a->rows));
    /* x + add; the square and its sum; two products. Once a row: / dim, + eps, 1 / sqrt. */
    const int64_t each = (a->add != NULL) + 2 + 2 + conversion(a->out_dtype);
    return rows * (each * a->dim + 4);
}

static int64_t flops_swiglu(const ifn_swiglu_args *a)
{
    return (4 + conversion(a->out_dtype)) * length(IFN_PART(a, a->rows)) * a->dim;
}

static int64_t flops_kv_store(const ifn_kv_store_args *a)
{
    const int64_t heads = length(IFN_PART(a, a->n_kv_heads));
    return conversion(a->cache_dtype) * 2 * a->rows * heads * a->head_dim;
}

/* sum_{i < rows} min(first + i + 1, end): how many of the keys below `end` the rows see. */
static int64_t visible_below(int64_t first, int64_t rows, int64_t end)
{
    const int64_t partly = end <= first ? 0 : end - first < rows ? end - first : rows;
    return partly * first + partly * (partly + 1) / 2 + (rows - partly) * end;
}

static int64_t flops_attention(const ifn_attention_args *a)
{
    const int64_t keys = a->first_pos + a->rows, heads = length(IFN_PART(a, a->n_heads));
    const int64_t block = IFN_ATTENTION_BLOCK;
    if (a->phase == IFN_ATTENTION_MERGE) /* two products and a sum for each part of a block */
        return 3 * a->rows * heads * ((keys + block - 1) / block) * (1 + a->head_dim);
    ifn_range seen = {0, keys};
    if (a->phase == IFN_ATTENTION_PARTIALS) {
        const ifn_range blocks = IFN_PART2(a, (keys + block - 1) / block);
        seen = (ifn_range){blocks.begin * block,
                           blocks.end * block < keys ? blocks.end * block : keys};
    }
    const int64_t pairs = visible_below(a->first_pos, a->rows, seen.end) -
                          visible_below(a->first_pos, a->rows, seen.begin);
    return heads * pairs * (4 * a->head_dim + 4); /* q k, p v; * scale, - max, e^, + */
}

/* Movement computes nothing. */
#define NOTHING(name)                                                                              \
    static int64_t flops_##name(const ifn_##name##_args *a)                                        \
    {                                                                                              \
        (void)a;                                                                                   \
        return 0;                                                                                  \
    }
NOTHING(broadcast_row_scalars)
NOTHING(repeat_row_as_matrix)
NOTHING(transpose_2d)
NOTHING(reshape_data)
NOTHING(fill_strict_upper_tri)
NOTHING(copy_2d_from_cols)
NOTHING(copy_2d_into_cols)
NOTHING(copy_row_2d)
NOTHING(copy_contiguous_into)
NOTHING(concat_dim0)
NOTHING(argmax_with_prob)
NOTHING(copy_in)
#undef NOTHING

static int64_t flops_of(ifn_op op, const ifn_call *args)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return flops_##name((const ifn_##name##_args *)args);
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return 0;
}

ifn_op_cost ifn_op_cost_of(ifn_op op, const ifn_call *args, const ifn_operands *operands)
{
    ifn_op_cost cost = {.flops = (uint64_t)flops_of(op, args)};
    for (size_t i = 0; i < operands->n; i++)
        cost.bytes += (uint64_t)operands->items[i].rows * operands->items[i].row_bytes;
    return cost;
}
