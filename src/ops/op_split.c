/*
 * How long the split dimensions of a call are: extent_<op> for the first, extent2_<op> for the
 * second. An op that declares a cut and has no such function does not compile.
 */
#include "op_split.h"

#include <string.h>

static int64_t extent_matmul(const ifn_matmul_args *a)
{
    return a->m;
}

static int64_t extent2_matmul(const ifn_matmul_args *a)
{
    return a->p;
}

static int64_t extent_add(const ifn_add_args *a)
{
    return a->n;
}

static int64_t extent_hadamard(const ifn_hadamard_args *a)
{
    return a->n;
}

static int64_t extent_scale(const ifn_scale_args *a)
{
    return a->n;
}

static int64_t extent_add_scalar(const ifn_add_scalar_args *a)
{
    return a->n;
}

static int64_t extent_silu(const ifn_silu_args *a)
{
    return a->n;
}

static int64_t extent_rsqrt_elem(const ifn_rsqrt_elem_args *a)
{
    return a->n;
}

static int64_t extent_sum_squares_axis(const ifn_sum_squares_axis_args *a)
{
    return a->axis == 1 ? a->rows : a->cols;
}

static int64_t extent_broadcast_row_scalars(const ifn_broadcast_row_scalars_args *a)
{
    return a->rows;
}

static int64_t extent_repeat_row_as_matrix(const ifn_repeat_row_as_matrix_args *a)
{
    return a->rows;
}

static int64_t extent_transpose_2d(const ifn_transpose_2d_args *a)
{
    return a->cols;
}

static int64_t extent_reshape_data(const ifn_reshape_data_args *a)
{
    return a->rows * a->cols;
}

static int64_t extent_softmax_rows(const ifn_softmax_rows_args *a)
{
    return a->rows;
}

static int64_t extent_gather_rows(const ifn_gather_rows_args *a)
{
    return a->n;
}

static int64_t extent_fill_strict_upper_tri(const ifn_fill_strict_upper_tri_args *a)
{
    return a->rows;
}

static int64_t extent_copy_2d_from_cols(const ifn_copy_2d_from_cols_args *a)
{
    return a->rows;
}

static int64_t extent_copy_2d_into_cols(const ifn_copy_2d_into_cols_args *a)
{
    return a->rows;
}

static int64_t extent_copy_contiguous_into(const ifn_copy_contiguous_into_args *a)
{
    return a->n;
}

static int64_t extent_concat_dim0(const ifn_concat_dim0_args *a)
{
    return a->a_rows + a->b_rows;
}

static int64_t extent_apply_rope(const ifn_apply_rope_args *a)
{
    return a->rows;
}

static int64_t extent_apply_rope_single_row(const ifn_apply_rope_single_row_args *a)
{
    return a->n_heads;
}

static int64_t features(const ifn_tensor *const *w, int64_t n_w)
{
    int64_t n = 0;
    for (int64_t i = 0; i < n_w; i++)
        n += w[i]->shape[0];
    return n;
}

static int64_t extent_linear(const ifn_linear_args *a)
{
    return features(a->w, a->n_w);
}

static int64_t extent2_linear(const ifn_linear_args *a)
{
    return a->rows;
}

static int64_t extent_linear_q8(const ifn_linear_q8_args *a)
{
    return features(a->w, a->n_w);
}

static int64_t extent2_linear_q8(const ifn_linear_q8_args *a)
{
    return a->rows;
}

static int64_t extent_quantize_rows(const ifn_quantize_rows_args *a)
{
    return a->rows;
}

static int64_t extent_dequantize_rows(const ifn_dequantize_rows_args *a)
{
    return a->rows;
}

static int64_t extent_rms_norm(const ifn_rms_norm_args *a)
{
    return a->rows;
}

static int64_t extent_swiglu(const ifn_swiglu_args *a)
{
    return a->rows;
}

static int64_t extent_kv_store(const ifn_kv_store_args *a)
{
    return a->n_kv_heads;
}

static int64_t extent_attention(const ifn_attention_args *a)
{
    return a->n_heads;
}

/* Only PARTIALS leaves something between the blocks; the other phases have no second cut. */
static int64_t extent2_attention(const ifn_attention_args *a)
{
    const int64_t keys = a->first_pos + a->rows;
    if (a->phase != IFN_ATTENTION_PARTIALS)
        return 0;
    return keys / IFN_ATTENTION_BLOCK + (keys % IFN_ATTENTION_BLOCK != 0);
}

/* `value` where the list declares a cut, 0 where it says NONE: there the members do not exist. */
#define IF_CUT_NONE(value)       0
#define IF_CUT_ELEMENTS(value)   (value)
#define IF_CUT_ROWS(value)       (value)
#define IF_CUT_COLS(value)       (value)
#define IF_CUT_FEATURES(value)   (value)
#define IF_CUT_HEADS(value)      (value)
#define IF_CUT_KEY_BLOCKS(value) (value)

/*
 * any_extent_<op>: either extent. A struct starts with its ifn_call, so a pointer to one is a
 * pointer to the other.
 */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static int64_t any_extent_##name(const ifn_call *call, int axis)                               \
    {                                                                                              \
        const ifn_##name##_args *const a = (const ifn_##name##_args *)call;                        \
        (void)a;                                                                                   \
        return axis == 0 ? IF_CUT_##cut(extent_##name(a)) : IF_CUT_##cut2(extent2_##name(a));      \
    }
IFN_OPS(X) /* NOLINT(bugprone-branch-clone): an op with neither cut has 0 twice */
#undef X

typedef struct op_split {
    int64_t (*extent)(const ifn_call *call, int axis);
    size_t part_offset[2]; /* of the ifn_range that begins with part_begin, part2_begin */
} op_split;

static const op_split splits[] = {
#define X(NAME, name, cut, cut2, doc)                                                              \
    {any_extent_##name,                                                                            \
     {IF_CUT_##cut(offsetof(ifn_##name##_args, part_begin)),                                       \
      IF_CUT_##cut2(offsetof(ifn_##name##_args, part2_begin))}},
    IFN_OPS(X)
#undef X
};

/* Begin and end stand side by side, as they do in an ifn_range. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    _Static_assert(IF_CUT_##cut(offsetof(ifn_##name##_args, part_end) -                            \
                                offsetof(ifn_##name##_args, part_begin) -                          \
                                offsetof(ifn_range, end)) == 0,                                    \
                   #name " keeps its part together");                                              \
    _Static_assert(IF_CUT_##cut2(offsetof(ifn_##name##_args, part2_end) -                          \
                                 offsetof(ifn_##name##_args, part2_begin) -                        \
                                 offsetof(ifn_range, end)) == 0,                                   \
                   #name " keeps its second part together");
IFN_OPS(X)
#undef X

int64_t ifn_op_extent(ifn_op op, const ifn_call *args, int axis)
{
    return ifn_op_cut(op, axis) == IFN_CUT_NONE ? 0 : splits[op].extent(args, axis);
}

ifn_range ifn_op_get_part(ifn_op op, const ifn_call *args, int axis)
{
    ifn_range part = {0, 0};
    if (ifn_op_cut(op, axis) != IFN_CUT_NONE)
        memcpy(&part, (const char *)args + splits[op].part_offset[axis], sizeof part);
    return part;
}

void ifn_op_set_part(ifn_op op, ifn_call *args, int axis, int64_t begin, int64_t end)
{
    const ifn_range part = {begin, end};
    if (ifn_op_cut(op, axis) != IFN_CUT_NONE)
        memcpy((char *)args + splits[op].part_offset[axis], &part, sizeof part);
}
