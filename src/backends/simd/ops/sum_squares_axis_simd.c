/*
 * sum_squares_axis. A row: CHAINS vectors of partial sums, added as a tree at the end, so a term
 * passes through ceil(n / (CHAINS * VL)) + log2(CHAINS * VL) + 1 roundings. Columns: one chain
 * each, over ascending rows, VL columns side by side.
 */
#include "map.h"
#include "row_sums.h"

static inline vf column_sums(const ifn_sum_squares_axis_args *a, int64_t col, int n)
{
    vf sum = vf_zero();
    for (int64_t r = 0; r < a->rows; r++) {
        const vf x = vf_get(a->x + r * a->cols + col, n);
        sum = vf_fma(x, x, sum);
    }
    return sum;
}

ifn_status IFN_KERNEL(sum_squares_axis)(ifn_backend *self, const ifn_sum_squares_axis_args *a)
{
    (void)self;
    if (a->rows < 0 || a->cols < 0 || (a->axis != 0 && a->axis != 1))
        return IFN_ERR_SHAPE;
    if (a->axis == 0) {
        IFN_MAP(a->out, ifn_part(a->part_begin, a->part_end, a->cols), column_sums(a, i, n));
        return IFN_OK;
    }
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        a->out[r] = row_sum_squares(a->x + r * a->cols, a->cols);
    return IFN_OK;
}
