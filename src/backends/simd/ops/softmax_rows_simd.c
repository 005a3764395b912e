/*
 * softmax_rows: three passes over a row (maximum; exponentials and their sum; scaling). The sum has
 * one chain of VL lanes, ceil(n / VL) + log2 VL roundings; scaling multiplies by 1 / sum.
 *
 * The special rows need no special case: with a maximum of +inf or -inf, inf - inf is NaN, and one
 * NaN in the sum reaches every element.
 */
#include "row_sums.h"
#include "vec_math.h"

static void scale_row(float *x, int64_t n_all, float factor)
{
    IFN_MAP(x, ((ifn_range){0, n_all}), vf_mul(vf_get(x + i, n), vf_set(factor)));
}

static void softmax_row(const float *x, float *out, int64_t cols)
{
    const vf max = vf_set(row_max(x, cols));
    vf sum = vf_zero();
    int64_t i = 0;
    for (; i + VL <= cols; i += VL) {
        const vf e = vf_exp(vf_sub(vf_load(x + i), max));
        vf_store(out + i, e);
        sum = vf_add(sum, e);
    }
    if (i < cols) {
        const int n = (int)(cols - i);
        const vf e = vf_exp(vf_sub(vf_load_n(x + i, n), max));
        vf_store_n(out + i, e, n);
        sum = vf_add(sum, vf_select(vm_first(n), e, vf_zero()));
    }
    scale_row(out, cols, 1.0f / vf_sum(sum));
}

ifn_status IFN_KERNEL(softmax_rows)(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    (void)self;
    if (a->rows < 0 || a->cols < 0)
        return IFN_ERR_SHAPE;
    if (a->cols == 0)
        return IFN_OK;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        softmax_row(a->x + r * a->cols, a->out + r * a->cols, a->cols);
    return IFN_OK;
}
