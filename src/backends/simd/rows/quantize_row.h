/*
 * Encodes rows of f32, bit for bit as numerics 8.2 to 8.4 say. The formats below are encoded VL elements
 * at a time, the others by the reference.
 */
#ifndef IFN_QUANTIZE_ROW_H
#define IFN_QUANTIZE_ROW_H

#include "quantize_plain.h"
#include "search_lanes.h"

/* Encodes n elements, whole blocks of dtype; `out` may have any alignment. */
static inline ifn_status ifn_quantize_row_simd(ifn_dtype dtype, const float *x, uint8_t *out,
                                               int64_t n)
{
    switch (dtype) {
    case IFN_DTYPE_F16:
        ifn_quantize_f16(x, out, n);
        return IFN_OK;
    case IFN_DTYPE_Q8_0:
        ifn_quantize_q8_0(x, out, n);
        return IFN_OK;
    case IFN_DTYPE_Q8_32F:
        ifn_quantize_row_q8_32f(x, (ifn_block_q8_32f *)(void *)out, n / 32);
        return IFN_OK;
    default:
        return ifn_quantize_row_by(&IFN_KERNEL(searches), dtype, x, out, n);
    }
}

#endif
