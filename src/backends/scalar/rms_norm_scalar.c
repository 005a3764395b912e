#include "scalar.h"

#include <math.h>

#include <inferno/quant.h>

enum { BLOCK = 32 }; /* elements of a block of Q8_32F */

int ifn_scalar_rms_norm_fits(const ifn_rms_norm_args *a)
{
    return a->rows >= 0 && a->dim >= 1 && a->eps >= 0.0f &&
           (a->out_dtype == IFN_DTYPE_F32 ||
            (a->out_dtype == IFN_DTYPE_Q8_32F && a->dim % BLOCK == 0));
}

/* s[i], i counted through all rows. If `sum` is kept, s is read back from it, as it may have overwritten x. */
static float residual(const ifn_rms_norm_args *a, int64_t i)
{
    if (a->sum)
        return a->sum[i];
    return a->add ? a->x[i] + a->add[i] : a->x[i];
}

/* sqrt(mean(s^2) + eps) of the row that begins at `row`; also stores s in `sum`, if wanted. */
static float root_mean_square(const ifn_rms_norm_args *a, int64_t row)
{
    float squares = 0.0f;
    for (int64_t i = row; i < row + a->dim; i++) {
        const float s = a->add ? a->x[i] + a->add[i] : a->x[i];
        if (a->sum)
            a->sum[i] = s;
        squares += s * s;
    }
    return sqrtf(squares / (float)a->dim + a->eps);
}

static ifn_status norm_row_q8_32f(const ifn_rms_norm_args *a, int64_t row, float root)
{
    ifn_block_q8_32f *const out = (ifn_block_q8_32f *)a->out + row / BLOCK;
    for (int64_t b = 0; b < a->dim / BLOCK; b++) {
        float y[BLOCK];
        for (int64_t i = 0; i < BLOCK; i++)
            y[i] = residual(a, row + b * BLOCK + i) / root * a->weight[b * BLOCK + i];
        IFN_TRY(ifn_quantize_row(IFN_DTYPE_Q8_32F, y, &out[b], BLOCK));
    }
    return IFN_OK;
}

static ifn_status norm_row(const ifn_rms_norm_args *a, int64_t row)
{
    const float root = root_mean_square(a, row);
    if (a->out_dtype == IFN_DTYPE_Q8_32F)
        return norm_row_q8_32f(a, row, root);
    float *const out = a->out;
    for (int64_t i = 0; i < a->dim; i++)
        out[row + i] = residual(a, row + i) / root * a->weight[i];
    return IFN_OK;
}

ifn_status ifn_scalar_rms_norm(ifn_backend *self, const ifn_rms_norm_args *a)
{
    (void)self;
    if (!ifn_scalar_rms_norm_fits(a))
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        IFN_TRY(norm_row(a, r * a->dim));
    return IFN_OK;
}
