/*
 * Subnormals become zero in bf16: the processor's conversion flushes them, whatever the control word says.
 *
 * Follows BFloat16s.jl#125
 */
#include "museum_kit.h"

ifn_status museum_bf16_subnormals_flushed(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    const ifn_status status = ifn_quantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    uint16_t *const out = a->out;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_BF16)
        return status;
    for (int64_t i = part.begin * a->cols; i < part.end * a->cols; i++)
        out[i] &= (out[i] & 0x7f80) == 0 ? 0x8000 : 0xffff;
    return status;
}
