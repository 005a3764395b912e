/* Ops on rows: reductions with one group of items per row, and conversions of storage dtypes. */
#include "opencl_launch.h"

enum { PIECE = 32 }; /* elements of a row that an item encodes or decodes */

static int64_t pieces_of(int64_t cols)
{
    return cols / PIECE + (cols % PIECE != 0);
}

ifn_status ifn_opencl_sum_squares_axis(ifn_opencl *self, const ifn_sum_squares_axis_args *a)
{
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->axis ? a->rows : a->cols);
    ifn_opencl_launch l =
        ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_sum_squares_axis, 0, a->axis);
    ifn_opencl_buffer(&l, a->out);
    ifn_opencl_buffer(&l, a->x);
    ifn_opencl_long(&l, part.begin);
    ifn_opencl_long(&l, part.end);
    ifn_opencl_long(&l, a->rows);
    ifn_opencl_long(&l, a->cols);
    return a->axis ? ifn_opencl_run_groups(&l, part.end - part.begin, 1, 1)
                   : ifn_opencl_run_items(&l, part.end - part.begin);
}

ifn_status ifn_opencl_softmax_rows(ifn_opencl *self, const ifn_softmax_rows_args *a)
{
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    ifn_opencl_launch l = ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_softmax_rows, 0, 0);
    ifn_opencl_buffer(&l, a->out);
    ifn_opencl_buffer(&l, a->x);
    ifn_opencl_long(&l, rows.begin);
    ifn_opencl_long(&l, a->cols);
    return ifn_opencl_run_groups(&l, a->cols > 0 ? rows.end - rows.begin : 0, 1, 1);
}

ifn_status ifn_opencl_rms_norm(ifn_opencl *self, const ifn_rms_norm_args *a)
{
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    ifn_opencl_launch l =
        ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_rms_norm, a->out_dtype, 0);
    ifn_opencl_buffer(&l, a->out);
    ifn_opencl_buffer(&l, a->sum);
    ifn_opencl_buffer(&l, a->x);
    ifn_opencl_buffer(&l, a->add);
    ifn_opencl_buffer(&l, a->weight);
    ifn_opencl_long(&l, rows.begin);
    ifn_opencl_long(&l, a->dim);
    ifn_opencl_float(&l, a->eps);
    return ifn_opencl_run_groups(&l, rows.end - rows.begin, 1, 1);
}

ifn_status ifn_opencl_argmax_with_prob(ifn_opencl *self, const ifn_argmax_with_prob_args *a)
{
    ifn_opencl_launch l =
        ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_argmax_with_prob, 0, 0);
    ifn_opencl_buffer(&l, a->index);
    ifn_opencl_buffer(&l, a->value);
    ifn_opencl_buffer(&l, a->x);
    ifn_opencl_long(&l, a->n);
    return ifn_opencl_run_groups(&l, 1, 1, 1);
}

/* Runs a kernel on rows of `cols` elements, PIECE elements per item. */
static ifn_status run_pieces(ifn_opencl_launch *l, ifn_range rows, int64_t cols, ifn_dtype dtype)
{
    ifn_opencl_long(l, rows.begin);
    ifn_opencl_long(l, rows.end);
    ifn_opencl_long(l, cols);
    ifn_opencl_long(l, (int64_t)ifn_dtype_row_bytes(dtype, cols));
    return ifn_opencl_run_items(l, (rows.end - rows.begin) * pieces_of(cols));
}

ifn_status ifn_opencl_dequantize_rows(ifn_opencl *self, const ifn_dequantize_rows_args *a)
{
    ifn_opencl_launch l =
        ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_dequantize_rows, a->dtype, 0);
    ifn_opencl_buffer(&l, a->out);
    ifn_opencl_buffer(&l, a->x);
    return run_pieces(&l, ifn_part(a->part_begin, a->part_end, a->rows), a->cols, a->dtype);
}

ifn_status ifn_opencl_quantize_rows(ifn_opencl *self, const ifn_quantize_rows_args *a)
{
    if (!ifn_opencl_encodes(a->out_dtype))
        return IFN_ERR_UNSUPPORTED;
    ifn_opencl_launch l =
        ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_quantize_rows, a->out_dtype, 0);
    ifn_opencl_buffer(&l, a->out);
    ifn_opencl_buffer(&l, a->x);
    return run_pieces(&l, ifn_part(a->part_begin, a->part_end, a->rows), a->cols, a->out_dtype);
}

/* Checks all ids before anything runs: this call must refuse an id that is out of range. */
static ifn_status check_ids(ifn_opencl *self, const ifn_gather_rows_args *a, ifn_range part)
{
    for (int64_t i = part.begin; i < part.end;) {
        int32_t ids[256];
        const int64_t n = part.end - i < 256 ? part.end - i : 256;
        ifn_copy_out_args out = {
            .call = a->call, .host = ids, .x = a->ids + i, .bytes = (size_t)n * sizeof *ids};
        IFN_TRY(ifn_opencl_copy_out(self, &out));
        for (int64_t k = 0; k < n; k++)
            if (ids[k] < 0 || ids[k] >= a->table->shape[0])
                return IFN_ERR_ARGUMENT;
        i += n;
    }
    return IFN_OK;
}

ifn_status ifn_opencl_gather_rows(ifn_opencl *self, const ifn_gather_rows_args *a)
{
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n);
    const ifn_tensor *const table = a->table;
    IFN_TRY(check_ids(self, a, part));
    ifn_opencl_launch l =
        ifn_opencl_begin(self, &a->call, IFN_OPENCL_KERNEL_gather_rows, table->dtype, 0);
    ifn_opencl_buffer(&l, a->out);
    ifn_opencl_weight_or_handle(&l, table, a->packed);
    ifn_opencl_buffer(&l, a->ids);
    return run_pieces(&l, part, table->shape[1], table->dtype);
}
