/*
 * rms_norm: one pass computes s = x + add and its sum of squares (order: row_sums.h), a second one divides
 * by the root and multiplies by the weight. Reads 8 or 12 bytes an element, writes 4 or 8.
 */
#include <math.h>

#include "quantize_q8_32f.h"
#include "row_sums.h"
#include "scalar.h"

enum { BLOCK = 32, PIECE = 8 * BLOCK }; /* elements of a block of Q8_32F; normed at a time */

/* s of elements i .. i + n - 1, counted through all rows. If `sum` is kept, s is read back from it, as it may
 * have overwritten x. */
static inline vf residual(const ifn_rms_norm_args *a, int64_t i, int n)
{
    if (a->sum)
        return vf_get(a->sum + i, n);
    const vf x = vf_get(a->x + i, n);
    return a->add ? vf_add(x, vf_get(a->add + i, n)) : x;
}

static inline vf square_and_keep(const ifn_rms_norm_args *a, int64_t i, int n, vf squares)
{
    vf s = vf_get(a->x + i, n);
    if (a->add)
        s = vf_add(s, vf_get(a->add + i, n));
    if (a->sum)
        vf_put(a->sum + i, s, n);
    return vf_fma(s, s, squares);
}

/* sqrt(mean(s^2) + eps) of the row that begins at `row` */
static float root_mean_square(const ifn_rms_norm_args *a, int64_t row)
{
    vf squares[CHAINS] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
    const int64_t end = row + a->dim;
    int64_t i = row;
    for (; i + CHAINS * VL <= end; i += CHAINS * VL)
        for (int j = 0; j < CHAINS; j++)
            squares[j] = square_and_keep(a, i + j * VL, VL, squares[j]);
    for (int j = 0; i < end; j++, i += VL)
        squares[j] = square_and_keep(a, i, end - i < VL ? (int)(end - i) : VL, squares[j]);
    return sqrtf(chains_sum(squares) / (float)a->dim + a->eps);
}

/* out[c - from] = y[c], columns [from, end) of the row that begins at `row` */
static void norm(const ifn_rms_norm_args *a, int64_t row, float root, int64_t from, int64_t end,
                 float *out)
{
    const ifn_range part = {0, end - from};
    IFN_MAP(out, part,
            vf_mul(vf_div(residual(a, row + from + i, n), vf_set(root)),
                   vf_get(a->weight + from + i, n)));
}

static void norm_row(const ifn_rms_norm_args *a, int64_t row)
{
    const float root = root_mean_square(a, row);
    if (a->out_dtype == IFN_DTYPE_F32) {
        norm(a, row, root, 0, a->dim, (float *)a->out + row);
        return;
    }
    ifn_block_q8_32f *const out = (ifn_block_q8_32f *)a->out + row / BLOCK;
    for (int64_t from = 0; from < a->dim; from += PIECE) {
        float y[PIECE];
        const int64_t end = from + PIECE < a->dim ? from + PIECE : a->dim;
        norm(a, row, root, from, end, y);
        ifn_quantize_row_q8_32f(y, out + from / BLOCK, (end - from) / BLOCK);
    }
}

ifn_status IFN_KERNEL(rms_norm)(ifn_backend *self, const ifn_rms_norm_args *a)
{
    (void)self;
    if (!ifn_scalar_rms_norm_fits(a))
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        norm_row(a, r * a->dim);
    return IFN_OK;
}
