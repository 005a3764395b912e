/*
 * Conversion of rows between a storage type and f32, as pinned in spec/numerics.md section 8, which is
 * installed below share/inferno.
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
 * Decodes one row, bit for bit as numerics 8.1 says; for a NaN, any NaN is right.
 *
 * x     [cols] of dtype, ifn_dtype_row_bytes(dtype, cols) bytes, any alignment
 * out   [cols] f32; no overlap with x
 * cols  a multiple of the block, 0 is fine
 *
 * Returns IFN_ERR_SHAPE if cols does not fit the block, IFN_ERR_ARGUMENT if dtype is no dtype.
 */
IFN_API ifn_status ifn_dequantize_row(ifn_dtype dtype, const void *x, float *out, int64_t cols);

/**
 * Encodes one row. F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1 and Q8_32F are pinned bit for bit
 * (numerics 8.2, 8.3); the K formats search for good scales. `out` may have any alignment; no
 * overlap. Errors as above. Every f32 operation is rounded on its own. Details that are easily missed:
 *
 * F16, BF16  to nearest even, to infinity where it overflows; NaN stays one
 * Q8_0 ..    codes are made with id = 1/d, d not yet rounded to f16: in Q8_0 x*id to nearest, ties away
 * Q5_1       from zero; in Q4_0 and Q5_0 the first of the largest magnitude has the sign that counts.
 *            Where d rounds to 0 in f16, d is -0 and each code 8 in Q4_0, d is -0 and each code 16 in
 *            Q5_0; in the others d is +0 and each code 0, and Q4_1 and Q5_1 keep m.
 *            A block with NaN or infinity, or whose d or m overflows f16, is d = 0x7e00 and zeros
 * Q8_32F     x * (127/amax) to nearest even; all zeros where amax < 2^-118; with NaN or infinity
 *            d = 0x7fc00000 and zeros
 */
IFN_API ifn_status ifn_quantize_row(ifn_dtype dtype, const float *x, void *out, int64_t cols);

/**
 * The same with importances (an imatrix): `columns` [cols], 0 or more each, says how much each column
 * matters; NULL: all alike. Q4_0, Q4_1, Q5_0, Q5_1 and the K formats minimise the weighted sum of squared
 * errors, with weights that grow with the number itself, too; the other dtypes round every number by
 * itself, and ignore importances. Errors as above.
 */
IFN_API ifn_status ifn_quantize_row_weighted(ifn_dtype dtype, const float *x, const float *columns,
                                             void *out, int64_t cols);

IFN_EXTERN_C_END

#endif
