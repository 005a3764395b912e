/* Ops that only move elements: one kernel, with strides of rows and columns as arguments. */
#include "opencl_launch.h"

typedef struct place {
    const void *data;
    int64_t first, row, column; /* the first element, and strides; the column stride of out is 1 */
} place;

static ifn_status copy(ifn_opencl *self, const ifn_call *call, place out, place x, int64_t rows,
                       int64_t cols)
{
    const int64_t element = sizeof(float);
    if (rows <= 0 || cols <= 0)
        return IFN_OK;
    ifn_opencl_launch l = ifn_opencl_begin(self, call, IFN_OPENCL_KERNEL_copy_rows, 0, 0);
    ifn_opencl_buffer(&l, (const char *)out.data + out.first * element);
    ifn_opencl_buffer(&l, (const char *)x.data + x.first * element);
    ifn_opencl_long(&l, rows);
    ifn_opencl_long(&l, cols);
    ifn_opencl_long(&l, out.row);
    ifn_opencl_long(&l, x.row);
    ifn_opencl_long(&l, x.column);
    return ifn_opencl_run_items(&l, rows * cols);
}

/* Copies the rows of `part`. */
static ifn_status copy_part(ifn_opencl *self, const ifn_call *call, ifn_range part, place out,
                            place x, int64_t cols)
{
    out.first += part.begin * out.row;
    x.first += part.begin * x.row;
    return copy(self, call, out, x, part.end - part.begin, cols);
}

ifn_status ifn_opencl_broadcast_row_scalars(ifn_opencl *self,
                                            const ifn_broadcast_row_scalars_args *a)
{
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    return copy_part(self, &a->call, rows, (place){a->out, 0, a->dim, 1}, (place){a->x, 0, 1, 0},
                     a->dim);
}

ifn_status ifn_opencl_repeat_row_as_matrix(ifn_opencl *self, const ifn_repeat_row_as_matrix_args *a)
{
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    return copy_part(self, &a->call, rows, (place){a->out, 0, a->dim, 1}, (place){a->x, 0, 0, 1},
                     a->dim);
}

ifn_status ifn_opencl_transpose_2d(ifn_opencl *self, const ifn_transpose_2d_args *a)
{
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->cols);
    return copy_part(self, &a->call, rows, (place){a->out, 0, a->rows, 1},
                     (place){a->x, 0, 1, a->cols}, a->rows);
}

/* Copies a contiguous run of elements. */
static ifn_status copy_run(ifn_opencl *self, const ifn_call *call, const void *out, int64_t first,
                           const void *x, ifn_range part)
{
    return copy(self, call, (place){out, first + part.begin, 0, 1}, (place){x, part.begin, 0, 1}, 1,
                part.end - part.begin);
}

ifn_status ifn_opencl_reshape_data(ifn_opencl *self, const ifn_reshape_data_args *a)
{
    return copy_run(self, &a->call, a->out, 0, a->x,
                    ifn_part(a->part_begin, a->part_end, a->rows * a->cols));
}

ifn_status ifn_opencl_copy_contiguous_into(ifn_opencl *self, const ifn_copy_contiguous_into_args *a)
{
    return copy_run(self, &a->call, a->out, a->out_offset, a->x,
                    ifn_part(a->part_begin, a->part_end, a->n));
}

ifn_status ifn_opencl_copy_2d_from_cols(ifn_opencl *self, const ifn_copy_2d_from_cols_args *a)
{
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    return copy_part(self, &a->call, rows, (place){a->out, 0, a->cols, 1},
                     (place){a->x, a->col_begin, a->x_cols, 1}, a->cols);
}

ifn_status ifn_opencl_copy_2d_into_cols(ifn_opencl *self, const ifn_copy_2d_into_cols_args *a)
{
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    return copy_part(self, &a->call, rows, (place){a->out, a->col_begin, a->out_cols, 1},
                     (place){a->x, 0, a->cols, 1}, a->cols);
}

ifn_status ifn_opencl_copy_row_2d(ifn_opencl *self, const ifn_copy_row_2d_args *a)
{
    return copy(self, &a->call, (place){a->out, a->out_row * a->cols, 0, 1},
                (place){a->x, a->x_row * a->cols, 0, 1}, 1, a->cols);
}

ifn_status ifn_opencl_concat_dim0(ifn_opencl *self, const ifn_concat_dim0_args *a)
{
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->a_rows + a->b_rows);
    const ifn_range upper = ifn_part_within(part, 0, a->a_rows);
    const ifn_range lower = ifn_part_within(part, a->a_rows, a->a_rows + a->b_rows);
    IFN_TRY(copy_part(self, &a->call, upper, (place){a->out, 0, a->cols, 1},
                      (place){a->a, 0, a->cols, 1}, a->cols));
    return copy_part(self, &a->call, lower, (place){a->out, a->a_rows * a->cols, a->cols, 1},
                     (place){a->b, 0, a->cols, 1}, a->cols);
}
