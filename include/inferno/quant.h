/*
 * Rows of a storage type, to and from f32: pinned in spec/numerics.md section 8.
 *
 * Stability: stable, down to the bits of what is pinned.
 */
#ifndef INFERNO_QUANT_H
#define INFERNO_QUANT_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/dtype.h>
#include <inferno/export.h>
#include <inferno/status.h>

IFN_EXTERN_C_BEGIN

/**
 * Decodes one row, bit for bit as numerics 8.1 says.
 *
 * x     [cols] of dtype, ifn_dtype_row_bytes(dtype, cols) bytes, any alignment
 * out   [cols] f32; no overlap with x
 * cols  a multiple of the block, 0 is fine
 *
 * Returns IFN_ERR_SHAPE if cols does not fit the block, IFN_ERR_ARGUMENT for no dtype.
 */
IFN_API ifn_status ifn_dequantize_row(ifn_dtype dtype, const void *x, float *out, int64_t cols);

/**
 * Encodes one row. F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1 and Q8_32F are pinned bit for bit
 * (numerics 8.2, 8.3), a block with NaN or infinity becoming a block of NaN; the K formats search
 * for good scales. `out` may have any alignment; no overlap. Errors as above.
 */
IFN_API ifn_status ifn_quantize_row(ifn_dtype dtype, const float *x, void *out, int64_t cols);

/**
 * The same where some columns matter more than others: `columns` [cols], 0 or more each, is how
 * much, as an importance matrix has it; NULL: all alike. Q4_0, Q4_1, Q5_0, Q5_1 and the K formats
 * look for the least sum of squared errors times weights, which grow with the number itself, too;
 * the other dtypes round every number by itself, and ignore them. Errors as above.
 */
IFN_API ifn_status ifn_quantize_row_weighted(ifn_dtype dtype, const float *x, const float *columns,
                                             void *out, int64_t cols);

IFN_EXTERN_C_END

#endif
