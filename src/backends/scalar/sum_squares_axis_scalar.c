#include "scalar.h"

static void sum_rows(const ifn_sum_squares_axis_args *a, ifn_range rows)
{
    for (int64_t r = rows.begin; r < rows.end; r++) {
        float sum = 0.0f;
        for (int64_t c = 0; c < a->cols; c++)
            sum += a->x[r * a->cols + c] * a->x[r * a->cols + c];
        a->out[r] = sum;
    }
}

static void sum_columns(const ifn_sum_squares_axis_args *a, ifn_range cols)
{
    for (int64_t c = cols.begin; c < cols.end; c++) {
        float sum = 0.0f;
        for (int64_t r = 0; r < a->rows; r++)
            sum += a->x[r * a->cols + c] * a->x[r * a->cols + c];
        a->out[c] = sum;
    }
}

ifn_status ifn_scalar_sum_squares_axis(ifn_backend *self, const ifn_sum_squares_axis_args *a)
{
    (void)self;
    if (a->rows < 0 || a->cols < 0 || (a->axis != 0 && a->axis != 1))
        return IFN_ERR_SHAPE;
    if (a->axis == 1)
        sum_rows(a, ifn_part(a->part_begin, a->part_end, a->rows));
    else
        sum_columns(a, ifn_part(a->part_begin, a->part_end, a->cols));
    return IFN_OK;
}
