#include "scalar.h"
#include "silu_scalar.h"

#include <stdbool.h>

#include <inferno/quant.h>

enum { BLOCK = 32 }; /* elements of a block of Q8_32F */

static ifn_status swiglu_q8_32f(const ifn_swiglu_args *a, ifn_range blocks)
{
    ifn_block_q8_32f *const out = a->out;
    for (int64_t b = blocks.begin; b < blocks.end; b++) {
        float y[BLOCK];
        for (int64_t i = 0; i < BLOCK; i++)
            y[i] = ifn_scalar_silu_of(a->gate[b * BLOCK + i]) * a->up[b * BLOCK + i];
        IFN_TRY(ifn_quantize_row(IFN_DTYPE_Q8_32F, y, &out[b], BLOCK));
    }
    return IFN_OK;
}

int ifn_scalar_swiglu_fits(const ifn_swiglu_args *a)
{
    const bool is_over = a->rows > 0 && a->dim > 0 && (a->out == a->gate || a->out == a->up);
    const bool is_q8_32f = a->out_dtype == IFN_DTYPE_Q8_32F;
    return a->rows >= 0 && a->dim >= 0 &&
           (a->out_dtype == IFN_DTYPE_F32 || (is_q8_32f && a->dim % BLOCK == 0 && !is_over));
}

ifn_status ifn_scalar_swiglu(ifn_backend *self, const ifn_swiglu_args *a)
{
    (void)self;
    const int64_t block = a->out_dtype == IFN_DTYPE_Q8_32F ? BLOCK : 1;
    if (!ifn_scalar_swiglu_fits(a))
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    const ifn_range part = {rows.begin * (a->dim / block), rows.end * (a->dim / block)};
    if (a->out_dtype == IFN_DTYPE_Q8_32F)
        return swiglu_q8_32f(a, part);
    float *const out = a->out;
    for (int64_t i = part.begin; i < part.end; i++)
        out[i] = ifn_scalar_silu_of(a->gate[i]) * a->up[i];
    return IFN_OK;
}
