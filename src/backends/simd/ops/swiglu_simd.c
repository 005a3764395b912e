/* swiglu: silu(gate) * up, some 22 operations per element. Reads 8 bytes, writes 4 or 1.25. */
#include "map.h"
#include "quantize_q8_32f.h"
#include "scalar.h"
#include "vec_math.h"

enum { BLOCK = 32, PIECE = 8 * BLOCK }; /* elements of a block of Q8_32F; formed at a time */

static inline vf product(const ifn_swiglu_args *a, int64_t i, int n)
{
    return vf_mul(vf_silu(vf_get(a->gate + i, n)), vf_get(a->up + i, n));
}

static void swiglu_q8_32f(const ifn_swiglu_args *a, ifn_range part)
{
    ifn_block_q8_32f *const out = a->out;
    for (int64_t from = part.begin; from < part.end; from += PIECE) {
        float y[PIECE];
        const int64_t length = part.end - from < PIECE ? part.end - from : PIECE;
        IFN_MAP(y, ((ifn_range){0, length}), product(a, from + i, n));
        ifn_quantize_row_q8_32f(y, out + from / BLOCK, length / BLOCK);
    }
}

ifn_status IFN_KERNEL(swiglu)(ifn_backend *self, const ifn_swiglu_args *a)
{
    (void)self;
    if (!ifn_scalar_swiglu_fits(a))
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    const ifn_range part = {rows.begin * a->dim, rows.end * a->dim};
    if (a->out_dtype == IFN_DTYPE_Q8_32F)
        swiglu_q8_32f(a, part);
    else
        IFN_MAP((float *)a->out, part, product(a, i, n));
    return IFN_OK;
}
