/*
 * The primitive ops: what each asks of its arguments, as include/inferno/ops.h says it. An output
 * overlaps nothing unless the op says so.
 */
#include "op_check_util.h"

#include <inttypes.h>

void ifn_check_matmul(op_checker *c, const ifn_matmul_args *a)
{
    EXTENT(c, a, m);
    EXTENT(c, a, n);
    EXTENT(c, a, p);
    const op_region out = F32(c, a, out, a->m, a->p);
    const op_region left = F32(c, a, a, a->m, a->n);
    const op_region right = F32(c, a, b, a->n, a->p);
    ifn_expect_apart(c, &out, &left);
    ifn_expect_apart(c, &out, &right);
}

static void check_unary(op_checker *c, const float *out, const float *x, int64_t n)
{
    ifn_expect_extent(c, "n", n);
    const op_region out_region = ifn_expect_f32(c, "out", out, 1, n);
    const op_region x_region = ifn_expect_f32(c, "x", x, 1, n);
    ifn_expect_apart_or_equal(c, &out_region, &x_region);
}

static void check_binary(op_checker *c, const float *out, const float *x, const float *y, int64_t n)
{
    check_unary(c, out, x, n);
    const op_region out_region = ifn_expect_f32(c, "out", out, 1, n);
    const op_region y_region = ifn_expect_f32(c, "y", y, 1, n);
    ifn_expect_apart_or_equal(c, &out_region, &y_region);
}

void ifn_check_add(op_checker *c, const ifn_add_args *a)
{
    check_binary(c, a->out, a->x, a->y, a->n);
}

void ifn_check_hadamard(op_checker *c, const ifn_hadamard_args *a)
{
    check_binary(c, a->out, a->x, a->y, a->n);
}

void ifn_check_scale(op_checker *c, const ifn_scale_args *a)
{
    check_unary(c, a->out, a->x, a->n);
}

void ifn_check_add_scalar(op_checker *c, const ifn_add_scalar_args *a)
{
    check_unary(c, a->out, a->x, a->n);
}

void ifn_check_silu(op_checker *c, const ifn_silu_args *a)
{
    check_unary(c, a->out, a->x, a->n);
}

void ifn_check_rsqrt_elem(op_checker *c, const ifn_rsqrt_elem_args *a)
{
    check_unary(c, a->out, a->x, a->n);
}

void ifn_check_sum_squares_axis(op_checker *c, const ifn_sum_squares_axis_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, cols);
    if (a->axis != 0 && a->axis != 1)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "axis %" PRId32 ", expected 0 or 1", a->axis);
    const op_region out = F32(c, a, out, 1, a->axis == 1 ? a->rows : a->cols);
    const op_region x = F32(c, a, x, a->rows, a->cols);
    ifn_expect_apart(c, &out, &x);
}

void ifn_check_broadcast_row_scalars(op_checker *c, const ifn_broadcast_row_scalars_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, dim);
    const op_region out = F32(c, a, out, a->rows, a->dim);
    const op_region x = F32(c, a, x, 1, a->rows);
    ifn_expect_apart(c, &out, &x);
}

void ifn_check_repeat_row_as_matrix(op_checker *c, const ifn_repeat_row_as_matrix_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, dim);
    const op_region out = F32(c, a, out, a->rows, a->dim);
    const op_region x = F32(c, a, x, 1, a->dim);
    ifn_expect_apart(c, &out, &x);
}

void ifn_check_transpose_2d(op_checker *c, const ifn_transpose_2d_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, cols);
    const op_region out = F32(c, a, out, a->cols, a->rows);
    const op_region x = F32(c, a, x, a->rows, a->cols);
    ifn_expect_apart(c, &out, &x);
}

void ifn_check_reshape_data(op_checker *c, const ifn_reshape_data_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, cols);
    EXTENT(c, a, out_rows);
    EXTENT(c, a, out_cols);
    const int64_t n = ifn_expect_product(c, "x", a->rows, a->cols);
    const int64_t out_n = ifn_expect_product(c, "out", a->out_rows, a->out_cols);
    if (n != out_n)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "out [%" PRId64 ", %" PRId64 "], expected the elements of [%" PRId64
                         ", %" PRId64 "]",
                         a->out_rows, a->out_cols, a->rows, a->cols);
    const op_region out = F32(c, a, out, 1, n);
    const op_region x = F32(c, a, x, 1, n);
    ifn_expect_apart_or_equal(c, &out, &x);
}

void ifn_check_softmax_rows(op_checker *c, const ifn_softmax_rows_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, cols);
    const op_region out = F32(c, a, out, a->rows, a->cols);
    const op_region x = F32(c, a, x, a->rows, a->cols);
    ifn_expect_apart_or_equal(c, &out, &x);
}

/* Only the ids of the part: the others belong to other calls. */
static void expect_ids(op_checker *c, const ifn_gather_rows_args *a)
{
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n);
    ifn_expect_part(c, "part", (ifn_range){a->part_begin, a->part_end}, a->n);
    for (int64_t i = part.begin; ifn_checker_ok(c) && i < part.end; i++) {
        if (a->ids[i] < 0 || a->ids[i] >= a->table->shape[0])
            ifn_checker_fail(c, IFN_ERR_ARGUMENT,
                             "ids[%" PRId64 "] %" PRId32 ", %s has %" PRId64 " rows", i, a->ids[i],
                             a->table->name, a->table->shape[0]);
    }
}

void ifn_check_gather_rows(op_checker *c, const ifn_gather_rows_args *a)
{
    EXTENT(c, a, n);
    const op_region table = ifn_expect_weight(c, "table", a->table, a->packed);
    const op_region out = F32(c, a, out, a->n, ifn_checker_ok(c) ? a->table->shape[1] : 0);
    const size_t id_bytes = sizeof *a->ids;
    const op_region ids = ifn_expect_rows(c, "ids", a->ids, a->n, id_bytes, id_bytes);
    ifn_expect_apart(c, &out, &table);
    ifn_expect_apart(c, &out, &ids);
    expect_ids(c, a);
}

void ifn_check_fill_strict_upper_tri(op_checker *c, const ifn_fill_strict_upper_tri_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, cols);
    F32(c, a, x, a->rows, a->cols);
}

void ifn_check_copy_2d_from_cols(op_checker *c, const ifn_copy_2d_from_cols_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, cols);
    EXTENT(c, a, x_cols);
    ifn_expect_window(c, "col_begin", a->col_begin, a->cols, a->x_cols);
    const op_region out = F32(c, a, out, a->rows, a->cols);
    const op_region x = F32(c, a, x, a->rows, a->x_cols);
    ifn_expect_apart(c, &out, &x);
}

void ifn_check_copy_2d_into_cols(op_checker *c, const ifn_copy_2d_into_cols_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, cols);
    EXTENT(c, a, out_cols);
    ifn_expect_window(c, "col_begin", a->col_begin, a->cols, a->out_cols);
    const op_region out = F32(c, a, out, a->rows, a->out_cols);
    const op_region x = F32(c, a, x, a->rows, a->cols);
    ifn_expect_apart(c, &out, &x);
}

void ifn_check_copy_row_2d(op_checker *c, const ifn_copy_row_2d_args *a)
{
    EXTENT(c, a, out_rows);
    EXTENT(c, a, x_rows);
    EXTENT(c, a, cols);
    ifn_expect_window(c, "out_row", a->out_row, 1, a->out_rows);
    ifn_expect_window(c, "x_row", a->x_row, 1, a->x_rows);
    const op_region out = F32(c, a, out, a->out_rows, a->cols);
    const op_region x = F32(c, a, x, a->x_rows, a->cols);
    ifn_expect_apart(c, &out, &x);
}

void ifn_check_copy_contiguous_into(op_checker *c, const ifn_copy_contiguous_into_args *a)
{
    EXTENT(c, a, n);
    EXTENT(c, a, out_n);
    ifn_expect_window(c, "out_offset", a->out_offset, a->n, a->out_n);
    const op_region out = F32(c, a, out, 1, a->out_n);
    const op_region x = F32(c, a, x, 1, a->n);
    ifn_expect_apart(c, &out, &x);
}

void ifn_check_concat_dim0(op_checker *c, const ifn_concat_dim0_args *a)
{
    EXTENT(c, a, a_rows);
    EXTENT(c, a, b_rows);
    EXTENT(c, a, cols);
    const int64_t rows = ifn_expect_sum(c, "out", a->a_rows, a->b_rows);
    const op_region out = F32(c, a, out, rows, a->cols);
    const op_region above = F32(c, a, a, a->a_rows, a->cols);
    const op_region below = F32(c, a, b, a->b_rows, a->cols);
    ifn_expect_apart(c, &out, &above);
    ifn_expect_apart(c, &out, &below);
}

static void check_rope(op_checker *c, const ifn_apply_rope_args *a)
{
    if (a->head_dim % 2 != 0)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "head_dim %" PRId64 ", expected an even one",
                         a->head_dim);
    if (a->pairing != IFN_ROPE_HALF_SPLIT && a->pairing != IFN_ROPE_INTERLEAVED)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "pairing %" PRId32 ", expected %d or %d", a->pairing,
                         IFN_ROPE_HALF_SPLIT, IFN_ROPE_INTERLEAVED);
    const int64_t heads = ifn_expect_product(c, "x", a->rows, a->n_heads);
    const op_region out = F32(c, a, out, heads, a->head_dim);
    const op_region x = F32(c, a, x, heads, a->head_dim);
    const op_region table = F32(c, a, table, a->rows, a->head_dim);
    ifn_expect_apart_or_equal(c, &out, &x);
    ifn_expect_apart(c, &out, &table);
}

void ifn_check_apply_rope(op_checker *c, const ifn_apply_rope_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, n_heads);
    EXTENT(c, a, head_dim);
    check_rope(c, a);
}

void ifn_check_apply_rope_single_row(op_checker *c, const ifn_apply_rope_single_row_args *a)
{
    const ifn_apply_rope_args one_row = {.out = a->out,
                                         .x = a->x,
                                         .table = a->table,
                                         .rows = 1,
                                         .n_heads = a->n_heads,
                                         .head_dim = a->head_dim,
                                         .pairing = a->pairing};
    ifn_check_apply_rope(c, &one_row);
}

void ifn_check_argmax_with_prob(op_checker *c, const ifn_argmax_with_prob_args *a)
{
    if (a->n < 1)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "n %" PRId64 ", expected 1 or more", a->n);
    const size_t index_bytes = sizeof *a->index;
    const op_region index = ifn_expect_rows(c, "index", a->index, 1, index_bytes, index_bytes);
    const op_region value = F32(c, a, value, 1, 1);
    const op_region x = F32(c, a, x, 1, a->n);
    ifn_expect_apart(c, &index, &value);
    ifn_expect_apart(c, &index, &x);
    ifn_expect_apart(c, &value, &x);
}
