#include "call_scalars.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef enum scalar_type { SCALAR_F32, SCALAR_I32, SCALAR_I64 } scalar_type;

typedef struct scalar {
    ifn_op op;
    const char *name;
    scalar_type type;
    size_t offset;
} scalar;

#define S(OP, op, name, type)                                                                      \
    {                                                                                              \
        IFN_OP_##OP, #name, SCALAR_##type, offsetof(ifn_##op##_args, name)                         \
    }

/* clang-format off */
static const scalar scalars[] = {
    S(MATMUL, matmul, m, I64),
    S(MATMUL, matmul, n, I64),
    S(MATMUL, matmul, p, I64),
    S(ADD, add, n, I64),
    S(HADAMARD, hadamard, n, I64),
    S(SCALE, scale, value, F32),
    S(SCALE, scale, n, I64),
    S(ADD_SCALAR, add_scalar, value, F32),
    S(ADD_SCALAR, add_scalar, n, I64),
    S(SILU, silu, n, I64),
    S(RSQRT_ELEM, rsqrt_elem, n, I64),
    S(SUM_SQUARES_AXIS, sum_squares_axis, rows, I64),
    S(SUM_SQUARES_AXIS, sum_squares_axis, cols, I64),
    S(SUM_SQUARES_AXIS, sum_squares_axis, axis, I32),
    S(BROADCAST_ROW_SCALARS, broadcast_row_scalars, rows, I64),
    S(BROADCAST_ROW_SCALARS, broadcast_row_scalars, dim, I64),
    S(REPEAT_ROW_AS_MATRIX, repeat_row_as_matrix, rows, I64),
    S(REPEAT_ROW_AS_MATRIX, repeat_row_as_matrix, dim, I64),
    S(TRANSPOSE_2D, transpose_2d, rows, I64),
    S(TRANSPOSE_2D, transpose_2d, cols, I64),
    S(RESHAPE_DATA, reshape_data, rows, I64),
    S(RESHAPE_DATA, reshape_data, cols, I64),
    S(RESHAPE_DATA, reshape_data, out_rows, I64),
    S(RESHAPE_DATA, reshape_data, out_cols, I64),
    S(SOFTMAX_ROWS, softmax_rows, rows, I64),
    S(SOFTMAX_ROWS, softmax_rows, cols, I64),
    S(GATHER_ROWS, gather_rows, n, I64),
    S(FILL_STRICT_UPPER_TRI, fill_strict_upper_tri, value, F32),
    S(FILL_STRICT_UPPER_TRI, fill_strict_upper_tri, rows, I64),
    S(FILL_STRICT_UPPER_TRI, fill_strict_upper_tri, cols, I64),
    S(FILL_STRICT_UPPER_TRI, fill_strict_upper_tri, offset, I64),
    S(COPY_2D_FROM_COLS, copy_2d_from_cols, rows, I64),
    S(COPY_2D_FROM_COLS, copy_2d_from_cols, cols, I64),
    S(COPY_2D_FROM_COLS, copy_2d_from_cols, x_cols, I64),
    S(COPY_2D_FROM_COLS, copy_2d_from_cols, col_begin, I64),
    S(COPY_2D_INTO_COLS, copy_2d_into_cols, rows, I64),
    S(COPY_2D_INTO_COLS, copy_2d_into_cols, cols, I64),
    S(COPY_2D_INTO_COLS, copy_2d_into_cols, out_cols, I64),
    S(COPY_2D_INTO_COLS, copy_2d_into_cols, col_begin, I64),
    S(COPY_ROW_2D, copy_row_2d, out_rows, I64),
    S(COPY_ROW_2D, copy_row_2d, x_rows, I64),
    S(COPY_ROW_2D, copy_row_2d, cols, I64),
    S(COPY_ROW_2D, copy_row_2d, out_row, I64),
    S(COPY_ROW_2D, copy_row_2d, x_row, I64),
    S(COPY_CONTIGUOUS_INTO, copy_contiguous_into, n, I64),
    S(COPY_CONTIGUOUS_INTO, copy_contiguous_into, out_n, I64),
    S(COPY_CONTIGUOUS_INTO, copy_contiguous_into, out_offset, I64),
    S(COPY_CONTIGUOUS_INTO, copy_contiguous_into, to_host, I32),
    S(CONCAT_DIM0, concat_dim0, a_rows, I64),
    S(CONCAT_DIM0, concat_dim0, b_rows, I64),
    S(CONCAT_DIM0, concat_dim0, cols, I64),
    S(APPLY_ROPE, apply_rope, rows, I64),
    S(APPLY_ROPE, apply_rope, n_heads, I64),
    S(APPLY_ROPE, apply_rope, head_dim, I64),
    S(APPLY_ROPE, apply_rope, pairing, I32),
    S(APPLY_ROPE_SINGLE_ROW, apply_rope_single_row, n_heads, I64),
    S(APPLY_ROPE_SINGLE_ROW, apply_rope_single_row, head_dim, I64),
    S(APPLY_ROPE_SINGLE_ROW, apply_rope_single_row, pairing, I32),
    S(ARGMAX_WITH_PROB, argmax_with_prob, n, I64),
    S(LINEAR, linear, rows, I64),
    S(LINEAR, linear, k, I64),
    S(LINEAR, linear, n_w, I64),
    S(LINEAR_Q8, linear_q8, rows, I64),
    S(LINEAR_Q8, linear_q8, k, I64),
    S(LINEAR_Q8, linear_q8, n_w, I64),
    S(QUANTIZE_ROWS, quantize_rows, rows, I64),
    S(QUANTIZE_ROWS, quantize_rows, cols, I64),
    S(DEQUANTIZE_ROWS, dequantize_rows, rows, I64),
    S(DEQUANTIZE_ROWS, dequantize_rows, cols, I64),
    S(RMS_NORM, rms_norm, rows, I64),
    S(RMS_NORM, rms_norm, dim, I64),
    S(RMS_NORM, rms_norm, eps, F32),
    S(SWIGLU, swiglu, rows, I64),
    S(SWIGLU, swiglu, dim, I64),
    S(KV_STORE, kv_store, rows, I64),
    S(KV_STORE, kv_store, first_pos, I64),
    S(KV_STORE, kv_store, max_pos, I64),
    S(KV_STORE, kv_store, n_kv_heads, I64),
    S(KV_STORE, kv_store, head_dim, I64),
    S(ATTENTION, attention, rows, I64),
    S(ATTENTION, attention, first_pos, I64),
    S(ATTENTION, attention, max_pos, I64),
    S(ATTENTION, attention, n_heads, I64),
    S(ATTENTION, attention, n_kv_heads, I64),
    S(ATTENTION, attention, head_dim, I64),
    S(ATTENTION, attention, scale, F32),
    S(ATTENTION, attention, phase, I32),
};
/* clang-format on */

static void put_float(double x, FILE *out)
{
    if (isnan(x))
        fputs(".nan", out);
    else if (isinf(x))
        fputs(x > 0 ? ".inf" : "-.inf", out);
    else
        fprintf(out, "%.9g", x);
}

static void put(const scalar *s, const unsigned char *args, FILE *out)
{
    float f32;
    int32_t i32;
    int64_t i64;
    fprintf(out, "%s: ", s->name);
    if (s->type == SCALAR_F32) {
        memcpy(&f32, args + s->offset, sizeof f32);
        put_float((double)f32, out);
    } else if (s->type == SCALAR_I32) {
        memcpy(&i32, args + s->offset, sizeof i32);
        fprintf(out, "%d", (int)i32);
    } else {
        memcpy(&i64, args + s->offset, sizeof i64);
        fprintf(out, "%lld", (long long)i64);
    }
}

void conform_put_scalars(ifn_op op, const conform_call *call, FILE *out)
{
    const char *separator = "";
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        if (scalars[i].op != op)
            continue;
        fputs(separator, out);
        put(&scalars[i], call->args.room, out);
        separator = ", ";
    }
}
