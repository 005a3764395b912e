/* What the primitive ops read and write, as include/inferno/ops.h says it. */
#include "op_operands.h"

/* Short forms: most operands are f32 matrices or vectors that are named like their argument. */
#define VECTOR(role, a, field, n, touched)                                                         \
    ifn_operand_1d(out, IFN_OPERAND_##role, #field, (a)->field, n, touched)
#define MATRIX(role, a, field, n_rows, n_cols, rows, cols)                                         \
    ifn_operand_2d(out, IFN_OPERAND_##role, #field, (a)->field, n_rows, n_cols, rows, cols)
#define WHOLE_ROWS(role, a, field, n_rows, n_cols, rows)                                           \
    MATRIX(role, a, field, n_rows, n_cols, rows, ifn_all_of(n_cols))

void ifn_operands_matmul(ifn_operands *out, const ifn_matmul_args *a)
{
    const ifn_range rows = IFN_PART(a, a->m), cols = IFN_PART2(a, a->p);
    WHOLE_ROWS(READ, a, a, a->m, a->n, rows);
    MATRIX(READ, a, b, a->n, a->p, ifn_all_of(a->n), cols);
    MATRIX(WRITTEN, a, out, a->m, a->p, rows, cols);
}

void ifn_operands_add(ifn_operands *out, const ifn_add_args *a)
{
    const ifn_range part = IFN_PART(a, a->n);
    VECTOR(READ, a, x, a->n, part);
    VECTOR(READ, a, y, a->n, part);
    VECTOR(WRITTEN, a, out, a->n, part);
}

void ifn_operands_hadamard(ifn_operands *out, const ifn_hadamard_args *a)
{
    const ifn_range part = IFN_PART(a, a->n);
    VECTOR(READ, a, x, a->n, part);
    VECTOR(READ, a, y, a->n, part);
    VECTOR(WRITTEN, a, out, a->n, part);
}

/* ifn_operands_scale, ...: one vector to another. */
#define ELEMENTWISE(name)                                                                          \
    void ifn_operands_##name(ifn_operands *out, const ifn_##name##_args *a)                        \
    {                                                                                              \
        const ifn_range part = IFN_PART(a, a->n);                                                  \
        VECTOR(READ, a, x, a->n, part);                                                            \
        VECTOR(WRITTEN, a, out, a->n, part);                                                       \
    }
ELEMENTWISE(scale)
ELEMENTWISE(add_scalar)
ELEMENTWISE(silu)
ELEMENTWISE(rsqrt_elem)
#undef ELEMENTWISE

void ifn_operands_sum_squares_axis(ifn_operands *out, const ifn_sum_squares_axis_args *a)
{
    const int64_t n = a->axis == 1 ? a->rows : a->cols;
    const ifn_range part = IFN_PART(a, n);
    const ifn_range rows = a->axis == 1 ? part : ifn_all_of(a->rows);
    const ifn_range cols = a->axis == 1 ? ifn_all_of(a->cols) : part;
    MATRIX(READ, a, x, a->rows, a->cols, rows, cols);
    VECTOR(WRITTEN, a, out, n, part);
}

void ifn_operands_broadcast_row_scalars(ifn_operands *out, const ifn_broadcast_row_scalars_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    VECTOR(READ, a, x, a->rows, rows);
    WHOLE_ROWS(WRITTEN, a, out, a->rows, a->dim, rows);
}

void ifn_operands_repeat_row_as_matrix(ifn_operands *out, const ifn_repeat_row_as_matrix_args *a)
{
    VECTOR(READ, a, x, a->dim, ifn_all_of(a->dim));
    WHOLE_ROWS(WRITTEN, a, out, a->rows, a->dim, IFN_PART(a, a->rows));
}

void ifn_operands_transpose_2d(ifn_operands *out, const ifn_transpose_2d_args *a)
{
    const ifn_range part = IFN_PART(a, a->cols);
    MATRIX(READ, a, x, a->rows, a->cols, ifn_all_of(a->rows), part);
    WHOLE_ROWS(WRITTEN, a, out, a->cols, a->rows, part);
}

void ifn_operands_reshape_data(ifn_operands *out, const ifn_reshape_data_args *a)
{
    const int64_t n = a->rows * a->cols;
    const ifn_range part = IFN_PART(a, n);
    ifn_operand_shape(VECTOR(READ, a, x, n, part), 2, a->rows, a->cols, 0);
    ifn_operand_shape(VECTOR(WRITTEN, a, out, n, part), 2, a->out_rows, a->out_cols, 0);
}

void ifn_operands_softmax_rows(ifn_operands *out, const ifn_softmax_rows_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    WHOLE_ROWS(READ, a, x, a->rows, a->cols, rows);
    WHOLE_ROWS(WRITTEN, a, out, a->rows, a->cols, rows);
}

void ifn_operands_gather_rows(ifn_operands *out, const ifn_gather_rows_args *a)
{
    const ifn_tensor *const t = a->table;
    const ifn_range rows = IFN_PART(a, a->n);
    ifn_operand *const table =
        ifn_operand_stored(out, IFN_OPERAND_READ, "table", t->data ? t->data : a->packed, t->dtype,
                           t->shape[0], t->shape[1], (ifn_range){0, rows.end - rows.begin});
    if (table) {
        table->tensor = t;
        table->data = NULL; /* one here, one there */
    }
    ifn_operand_raw(out, IFN_OPERAND_READ, "ids", a->ids, a->n, sizeof *a->ids, rows);
    WHOLE_ROWS(WRITTEN, a, out, a->n, t->shape[1], rows);
}

/* Elements right of column row + offset in one row. */
static int64_t filled(const ifn_fill_strict_upper_tri_args *a, int64_t row)
{
    if (a->offset >= a->cols - row - 1)
        return 0;
    return a->offset < -row ? a->cols : a->cols - (row + a->offset + 1);
}

void ifn_operands_fill_strict_upper_tri(ifn_operands *out, const ifn_fill_strict_upper_tri_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    ifn_operand *const x = WHOLE_ROWS(WRITTEN, a, x, a->rows, a->cols, rows);
    if (!x)
        return;
    int64_t n = 0;
    for (int64_t r = rows.begin; r < rows.end; r++)
        n += filled(a, r);
    x->data = NULL; /* a triangle */
    x->rows = 1;
    x->row_bytes = (size_t)n * sizeof *a->x;
}

void ifn_operands_copy_2d_from_cols(ifn_operands *out, const ifn_copy_2d_from_cols_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    const ifn_range window = {a->col_begin, a->col_begin + a->cols};
    MATRIX(READ, a, x, a->rows, a->x_cols, rows, window);
    WHOLE_ROWS(WRITTEN, a, out, a->rows, a->cols, rows);
}

void ifn_operands_copy_2d_into_cols(ifn_operands *out, const ifn_copy_2d_into_cols_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    const ifn_range window = {a->col_begin, a->col_begin + a->cols};
    WHOLE_ROWS(READ, a, x, a->rows, a->cols, rows);
    MATRIX(WRITTEN, a, out, a->rows, a->out_cols, rows, window);
}

void ifn_operands_copy_row_2d(ifn_operands *out, const ifn_copy_row_2d_args *a)
{
    const ifn_range from = {a->x_row, a->x_row + 1}, to = {a->out_row, a->out_row + 1};
    WHOLE_ROWS(READ, a, x, a->x_rows, a->cols, from);
    WHOLE_ROWS(WRITTEN, a, out, a->out_rows, a->cols, to);
}

/* Elements of four bytes, whatever they are. */
void ifn_operands_copy_contiguous_into(ifn_operands *out, const ifn_copy_contiguous_into_args *a)
{
    const ifn_range part = IFN_PART(a, a->n);
    const ifn_range to = {a->out_offset + part.begin, a->out_offset + part.end};
    ifn_operand_raw(out, IFN_OPERAND_READ, "x", a->x, a->n, 4, part);
    ifn_operand_raw(out, IFN_OPERAND_WRITTEN, "out", a->out, a->out_n, 4, to);
}

void ifn_operands_concat_dim0(ifn_operands *out, const ifn_concat_dim0_args *a)
{
    const int64_t n = a->a_rows + a->b_rows;
    const ifn_range rows = IFN_PART(a, n);
    WHOLE_ROWS(READ, a, a, a->a_rows, a->cols, ifn_part_within(rows, 0, a->a_rows));
    WHOLE_ROWS(READ, a, b, a->b_rows, a->cols, ifn_part_within(rows, a->a_rows, n));
    WHOLE_ROWS(WRITTEN, a, out, n, a->cols, rows);
}

void ifn_operands_apply_rope(ifn_operands *out, const ifn_apply_rope_args *a)
{
    const ifn_range rows = IFN_PART(a, a->rows);
    const int64_t width = a->n_heads * a->head_dim;
    ifn_operand_shape(WHOLE_ROWS(READ, a, x, a->rows, width, rows), 3, a->rows, a->n_heads,
                      a->head_dim);
    WHOLE_ROWS(READ, a, table, a->rows, a->head_dim, rows);
    ifn_operand_shape(WHOLE_ROWS(WRITTEN, a, out, a->rows, width, rows), 3, a->rows, a->n_heads,
                      a->head_dim);
}

void ifn_operands_apply_rope_single_row(ifn_operands *out, const ifn_apply_rope_single_row_args *a)
{
    const ifn_range heads = IFN_PART(a, a->n_heads);
    WHOLE_ROWS(READ, a, x, a->n_heads, a->head_dim, heads);
    VECTOR(READ, a, table, a->head_dim, ifn_all_of(a->head_dim));
    WHOLE_ROWS(WRITTEN, a, out, a->n_heads, a->head_dim, heads);
}

void ifn_operands_argmax_with_prob(ifn_operands *out, const ifn_argmax_with_prob_args *a)
{
    VECTOR(READ, a, x, a->n, ifn_all_of(a->n));
    ifn_operand_raw(out, IFN_OPERAND_WRITTEN, "index", a->index, 1, sizeof *a->index,
                    ifn_all_of(1));
    VECTOR(WRITTEN, a, value, 1, ifn_all_of(1));
}
