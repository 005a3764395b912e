/* Breaks one rule at a time of all that the headers of the ops state about the regular ops. */
#include <inferno/ops.h>

#include <math.h>

#include "legal_calls.h"
#include "test.h"

#define HUGE_EXTENT (INT64_MAX / 2)

TEST(matmul_keeps_its_contract)
{
    ACCEPT(matmul, (a.m = 0, a.out = NULL, a.a = NULL));
    ACCEPT(matmul, (a.n = 0, a.a = NULL, a.b = NULL));
    ACCEPT(matmul, (a.b = a.a));
    REFUSE(matmul, a.m = -1, "m -1, expected 0 or more");
    REFUSE(matmul, a.n = -1, "n -1, expected 0 or more");
    REFUSE(matmul, a.p = -1, "p -1, expected 0 or more");
    REFUSE(matmul, a.out = NULL, "out is NULL, expected 40 bytes");
    REFUSE(matmul, a.a = NULL, "a is NULL, expected 24 bytes");
    REFUSE(matmul, a.b = NULL, "b is NULL, expected 60 bytes");
    REFUSE(matmul, a.a = a.out, "out overlaps a");
    REFUSE(matmul, a.b = a.out + 9, "out overlaps b");
    REFUSE(matmul, a.m = HUGE_EXTENT, "out: larger than any memory");
    REFUSE(matmul, (a.p = 0, a.m = HUGE_EXTENT), "a: larger than any memory");
    REFUSE(matmul, (a.m = 0, a.p = HUGE_EXTENT), "b: larger than any memory");
}

/* Rules about x, shared by the binary and all unary ops. */
#define UNARY_RULES(name)                                                                          \
    do {                                                                                           \
        ACCEPT(name, a.x = a.out);                                                                 \
        ACCEPT(name, (a.n = 0, a.out = NULL));                                                     \
        REFUSE(name, a.n = -1, "n -1, expected 0 or more");                                        \
        REFUSE(name, a.out = NULL, "out is NULL, expected 44 bytes");                              \
        REFUSE(name, a.x = NULL, "x is NULL, expected 44 bytes");                                  \
        REFUSE(name, a.x = a.out + 1, "out overlaps x, expected equal or apart");                  \
        REFUSE(name, a.x = a.out + 10, "out overlaps x, expected equal or apart");                 \
        ACCEPT(name, a.x = a.out + 11);                                                            \
        REFUSE(name, a.n = HUGE_EXTENT, "out: larger than any memory");                            \
    } while (0)

TEST(unary_ops_keep_their_contract)
{
    UNARY_RULES(scale);
    UNARY_RULES(add_scalar);
    UNARY_RULES(silu);
    UNARY_RULES(rsqrt_elem);
}

TEST(binary_ops_keep_their_contract)
{
    UNARY_RULES(add);
    UNARY_RULES(hadamard);
    ACCEPT(add, a.y = a.out);
    ACCEPT(hadamard, (a.x = a.out, a.y = a.out));
    REFUSE(add, a.y = NULL, "y is NULL, expected 44 bytes");
    REFUSE(hadamard, a.y = NULL, "y is NULL, expected 44 bytes");
    REFUSE(add, a.y = a.out + 1, "out overlaps y, expected equal or apart");
    REFUSE(hadamard, a.y = a.out + 1, "out overlaps y, expected equal or apart");
}

TEST(sum_squares_axis_keeps_its_contract)
{
    ACCEPT(sum_squares_axis, a.axis = 0);
    ACCEPT(sum_squares_axis, (a.cols = 0, a.x = NULL));
    REFUSE(sum_squares_axis, a.axis = 2, "axis 2, expected 0 or 1");
    REFUSE(sum_squares_axis, a.axis = -1, "axis -1, expected 0 or 1");
    REFUSE(sum_squares_axis, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(sum_squares_axis, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(sum_squares_axis, a.out = NULL, "out is NULL, expected 8 bytes");
    REFUSE(sum_squares_axis, (a.axis = 0, a.out = NULL), "out is NULL, expected 12 bytes");
    REFUSE(sum_squares_axis, a.x = NULL, "x is NULL, expected 24 bytes");
    REFUSE(sum_squares_axis, a.x = a.out, "out overlaps x");
    ACCEPT(sum_squares_axis, a.x = a.out + 2);
    REFUSE(sum_squares_axis, (a.axis = 0, a.x = a.out + 2), "out overlaps x");
}

TEST(broadcast_row_scalars_keeps_its_contract)
{
    ACCEPT(broadcast_row_scalars, (a.rows = 0, a.out = NULL, a.x = NULL));
    REFUSE(broadcast_row_scalars, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(broadcast_row_scalars, a.dim = -1, "dim -1, expected 0 or more");
    REFUSE(broadcast_row_scalars, a.out = NULL, "out is NULL, expected 24 bytes");
    REFUSE(broadcast_row_scalars, a.x = NULL, "x is NULL, expected 8 bytes");
    REFUSE(broadcast_row_scalars, a.x = a.out + 5, "out overlaps x");
}

TEST(repeat_row_as_matrix_keeps_its_contract)
{
    ACCEPT(repeat_row_as_matrix, (a.dim = 0, a.out = NULL, a.x = NULL));
    REFUSE(repeat_row_as_matrix, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(repeat_row_as_matrix, a.dim = -1, "dim -1, expected 0 or more");
    REFUSE(repeat_row_as_matrix, a.out = NULL, "out is NULL, expected 24 bytes");
    REFUSE(repeat_row_as_matrix, a.x = NULL, "x is NULL, expected 12 bytes");
    REFUSE(repeat_row_as_matrix, a.x = a.out, "out overlaps x");
}

TEST(transpose_2d_keeps_its_contract)
{
    ACCEPT(transpose_2d, (a.rows = 0, a.out = NULL, a.x = NULL));
    REFUSE(transpose_2d, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(transpose_2d, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(transpose_2d, a.out = NULL, "out is NULL, expected 24 bytes");
    REFUSE(transpose_2d, a.x = NULL, "x is NULL, expected 24 bytes");
    REFUSE(transpose_2d, a.x = a.out, "out overlaps x");
}

TEST(softmax_rows_keeps_its_contract)
{
    ACCEPT(softmax_rows, a.x = a.out);
    ACCEPT(softmax_rows, (a.cols = 0, a.out = NULL, a.x = NULL));
    REFUSE(softmax_rows, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(softmax_rows, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(softmax_rows, a.out = NULL, "out is NULL, expected 24 bytes");
    REFUSE(softmax_rows, a.x = NULL, "x is NULL, expected 24 bytes");
    REFUSE(softmax_rows, a.x = a.out + 3, "out overlaps x, expected equal or apart");
}

TEST(fill_strict_upper_tri_keeps_its_contract)
{
    ACCEPT(fill_strict_upper_tri, a.offset = INT64_MIN);
    ACCEPT(fill_strict_upper_tri, a.offset = INT64_MAX);
    ACCEPT(fill_strict_upper_tri, (a.rows = 0, a.x = NULL));
    REFUSE(fill_strict_upper_tri, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(fill_strict_upper_tri, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(fill_strict_upper_tri, a.x = NULL, "x is NULL, expected 24 bytes");
    REFUSE(fill_strict_upper_tri, a.rows = HUGE_EXTENT, "x: larger than any memory");
}

TEST(copy_2d_from_cols_keeps_its_contract)
{
    ACCEPT(copy_2d_from_cols, (a.cols = 0, a.col_begin = 7, a.out = NULL));
    REFUSE(copy_2d_from_cols, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(copy_2d_from_cols, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(copy_2d_from_cols, a.x_cols = -1, "x_cols -1, expected 0 or more");
    REFUSE(copy_2d_from_cols, a.col_begin = -1, "col_begin -1: 3 from there on do not fit 7");
    REFUSE(copy_2d_from_cols, a.col_begin = 5, "col_begin 5: 3 from there on do not fit 7");
    REFUSE(copy_2d_from_cols, a.cols = 8, "col_begin 4: 8 from there on do not fit 7");
    REFUSE(copy_2d_from_cols, a.out = NULL, "out is NULL, expected 24 bytes");
    REFUSE(copy_2d_from_cols, a.x = NULL, "x is NULL, expected 56 bytes");
    REFUSE(copy_2d_from_cols, a.x = a.out, "out overlaps x");
}

TEST(copy_2d_into_cols_keeps_its_contract)
{
    ACCEPT(copy_2d_into_cols, (a.cols = 0, a.x = NULL));
    REFUSE(copy_2d_into_cols, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(copy_2d_into_cols, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(copy_2d_into_cols, a.out_cols = -1, "out_cols -1, expected 0 or more");
    REFUSE(copy_2d_into_cols, a.col_begin = -1, "col_begin -1: 3 from there on do not fit 7");
    REFUSE(copy_2d_into_cols, a.col_begin = 5, "col_begin 5: 3 from there on do not fit 7");
    REFUSE(copy_2d_into_cols, a.out = NULL, "out is NULL, expected 56 bytes");
    REFUSE(copy_2d_into_cols, a.x = NULL, "x is NULL, expected 24 bytes");
    REFUSE(copy_2d_into_cols, a.x = a.out + 13, "out overlaps x");
}

TEST(copy_row_2d_keeps_its_contract)
{
    ACCEPT(copy_row_2d, (a.cols = 0, a.out = NULL, a.x = NULL));
    REFUSE(copy_row_2d, a.out_rows = -1, "out_rows -1, expected 0 or more");
    REFUSE(copy_row_2d, a.x_rows = -1, "x_rows -1, expected 0 or more");
    REFUSE(copy_row_2d, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(copy_row_2d, a.out_row = 2, "out_row 2: 1 from there on do not fit 2");
    REFUSE(copy_row_2d, a.out_row = -1, "out_row -1: 1 from there on do not fit 2");
    REFUSE(copy_row_2d, a.x_row = 3, "x_row 3: 1 from there on do not fit 3");
    REFUSE(copy_row_2d, a.x_row = -1, "x_row -1: 1 from there on do not fit 3");
    REFUSE(copy_row_2d, (a.x_rows = 0, a.x_row = 0), "x_row 0: 1 from there on do not fit 0");
    REFUSE(copy_row_2d, a.out = NULL, "out is NULL, expected 40 bytes");
    REFUSE(copy_row_2d, a.x = NULL, "x is NULL, expected 60 bytes");
    REFUSE(copy_row_2d, a.x = a.out + 9, "out overlaps x");
}

TEST(copy_contiguous_into_keeps_its_contract)
{
    ACCEPT(copy_contiguous_into, (a.n = 0, a.out_offset = 7, a.x = NULL));
    REFUSE(copy_contiguous_into, a.n = -1, "n -1, expected 0 or more");
    REFUSE(copy_contiguous_into, a.out_n = -1, "out_n -1, expected 0 or more");
    REFUSE(copy_contiguous_into, a.out_offset = -1, "out_offset -1: 3 from there on do not fit 7");
    REFUSE(copy_contiguous_into, a.out_offset = 5, "out_offset 5: 3 from there on do not fit 7");
    REFUSE(copy_contiguous_into, a.out = NULL, "out is NULL, expected 28 bytes");
    REFUSE(copy_contiguous_into, a.x = NULL, "x is NULL, expected 12 bytes");
    REFUSE(copy_contiguous_into, a.x = mem[0] + 6, "out overlaps x");
}

TEST(concat_dim0_keeps_its_contract)
{
    ACCEPT(concat_dim0, (a.a_rows = 0, a.a = NULL));
    ACCEPT(concat_dim0, (a.b_rows = 0, a.b = NULL));
    ACCEPT(concat_dim0, a.b = a.a);
    REFUSE(concat_dim0, a.a_rows = -1, "a_rows -1, expected 0 or more");
    REFUSE(concat_dim0, a.b_rows = -1, "b_rows -1, expected 0 or more");
    REFUSE(concat_dim0, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(concat_dim0, a.a_rows = INT64_MAX, "out: larger than any memory");
    REFUSE(concat_dim0, a.out = NULL, "out is NULL, expected 140 bytes");
    REFUSE(concat_dim0, a.a = NULL, "a is NULL, expected 56 bytes");
    REFUSE(concat_dim0, a.b = NULL, "b is NULL, expected 84 bytes");
    REFUSE(concat_dim0, a.a = a.out, "out overlaps a");
    REFUSE(concat_dim0, a.b = a.out + 14, "out overlaps b");
}

/* The table has a row for each row of x in one of the two ops, and a single row in the other: `table_bytes`. */
#define ROPE_RULES(name, x_bytes, table_bytes)                                                     \
    do {                                                                                           \
        ACCEPT(name, a.x = a.out);                                                                 \
        ACCEPT(name, a.pairing = IFN_ROPE_HALF_SPLIT);                                             \
        ACCEPT(name, a.pairing = IFN_ROPE_INTERLEAVED);                                            \
        ACCEPT(name, (a.n_heads = 0, a.out = NULL, a.x = NULL));                                   \
        REFUSE(name, a.n_heads = -1, "n_heads -1, expected 0 or more");                            \
        REFUSE(name, a.head_dim = -2, "head_dim -2, expected 0 or more");                          \
        REFUSE(name, a.head_dim = 7, "head_dim 7, expected an even one");                          \
        REFUSE(name, a.pairing = 2, "pairing 2, expected 0 or 1");                                 \
        REFUSE(name, a.pairing = -1, "pairing -1, expected 0 or 1");                               \
        REFUSE(name, a.out = NULL, "out is NULL, expected " x_bytes " bytes");                     \
        REFUSE(name, a.x = NULL, "x is NULL, expected " x_bytes " bytes");                         \
        REFUSE(name, a.table = NULL, "table is NULL, expected " table_bytes " bytes");             \
        REFUSE(name, a.x = a.out + 2, "out overlaps x, expected equal or apart");                  \
        REFUSE(name, a.table = a.out, "out overlaps table");                                       \
        REFUSE(name, a.n_heads = HUGE_EXTENT, "out: larger than any memory");                      \
    } while (0)

TEST(rope_keeps_its_contract)
{
    ROPE_RULES(apply_rope_single_row, "96", "32");
    ROPE_RULES(apply_rope, "192", "64");
    ACCEPT(apply_rope, (a.rows = 0, a.out = NULL, a.x = NULL, a.table = NULL));
    REFUSE(apply_rope, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(apply_rope, a.rows = HUGE_EXTENT, "out: larger than any memory");
}

TEST(argmax_with_prob_keeps_its_contract)
{
    ACCEPT(argmax_with_prob, a.n = 1);
    REFUSE(argmax_with_prob, a.n = 0, "n 0, expected 1 or more");
    REFUSE(argmax_with_prob, a.n = -1, "n -1, expected 1 or more");
    REFUSE(argmax_with_prob, a.index = NULL, "index is NULL, expected 4 bytes");
    REFUSE(argmax_with_prob, a.value = NULL, "value is NULL, expected 4 bytes");
    REFUSE(argmax_with_prob, a.x = NULL, "x is NULL, expected 36 bytes");
    REFUSE(argmax_with_prob, a.index = (int32_t *)a.value, "index overlaps value");
    REFUSE(argmax_with_prob, a.index = (int32_t *)mem[2], "index overlaps x");
    REFUSE(argmax_with_prob, a.value = mem[2] + 8, "value overlaps x");
}

TEST(quantize_rows_keeps_its_contract)
{
    for (int t = 0; t < IFN_DTYPE_COUNT; t++)
        ACCEPT(quantize_rows, (a.cols = 256, a.out_dtype = (ifn_dtype)t));
    ACCEPT(quantize_rows, (a.cols = 0, a.out = NULL, a.x = NULL));
    REFUSE(quantize_rows, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(quantize_rows, a.cols = -32, "cols -32, expected 0 or more");
    REFUSE(quantize_rows, a.cols = 33, "cols 33, expected a multiple of 32 for Q8_0");
    REFUSE(quantize_rows, a.out_dtype = IFN_DTYPE_Q4_K,
           "cols 64, expected a multiple of 256 for Q4_K");
    REFUSE(quantize_rows, a.out_dtype = IFN_DTYPE_COUNT, "out_dtype 14 is no dtype");
    REFUSE(quantize_rows, a.out = NULL, "out is NULL, expected 136 bytes");
    REFUSE(quantize_rows, a.x = NULL, "x is NULL, expected 512 bytes");
    REFUSE(quantize_rows, (a.out = mem[2], a.x = mem[2] + 33), "out overlaps x");
    ACCEPT(quantize_rows, (a.out = mem[2], a.x = mem[2] + 34));
    REFUSE(quantize_rows, (a.out = mem[2], a.out_dtype = IFN_DTYPE_F32), "out overlaps x");
    REFUSE(quantize_rows, a.rows = HUGE_EXTENT, "out: larger than any memory");
}

TEST(dequantize_rows_keeps_its_contract)
{
    for (int t = 0; t < IFN_DTYPE_COUNT; t++)
        ACCEPT(dequantize_rows, (a.cols = 256, a.dtype = (ifn_dtype)t));
    ACCEPT(dequantize_rows, (a.rows = 0, a.out = NULL, a.x = NULL));
    REFUSE(dequantize_rows, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(dequantize_rows, a.cols = -32, "cols -32, expected 0 or more");
    REFUSE(dequantize_rows, a.cols = 33, "cols 33, expected a multiple of 32 for Q8_0");
    REFUSE(dequantize_rows, a.dtype = (ifn_dtype)-1, "dtype -1 is no dtype");
    REFUSE(dequantize_rows, a.out = NULL, "out is NULL, expected 512 bytes");
    REFUSE(dequantize_rows, a.x = NULL, "x is NULL, expected 136 bytes");
    REFUSE(dequantize_rows, a.x = a.out + 127, "out overlaps x");
}

TEST(rms_norm_keeps_its_contract)
{
    ACCEPT(rms_norm, (a.sum = NULL, a.add = NULL));
    ACCEPT(rms_norm, (a.rows = 0, a.out = NULL, a.sum = NULL, a.x = NULL, a.add = NULL));
    ACCEPT(rms_norm, a.dim = 1);
    ACCEPT(rms_norm, a.eps = 0.0f);
    ACCEPT(rms_norm, a.out_dtype = IFN_DTYPE_Q8_32F);
    REFUSE(rms_norm, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(rms_norm, a.dim = 0, "dim 0, expected 1 or more");
    REFUSE(rms_norm, (a.rows = 0, a.dim = 0), "dim 0, expected 1 or more");
    REFUSE(rms_norm, a.dim = -64, "dim -64, expected 1 or more");
    REFUSE(rms_norm, a.eps = -1.0f, "eps -1, expected 0 or more");
    REFUSE(rms_norm, a.eps = NAN, "eps nan, expected 0 or more");
    REFUSE(rms_norm, a.out_dtype = IFN_DTYPE_F16, "out_dtype F16, expected F32 or Q8_32F");
    REFUSE(rms_norm, a.out_dtype = IFN_DTYPE_COUNT, "out_dtype ?, expected F32 or Q8_32F");
    REFUSE(rms_norm, (a.dim = 63, a.out_dtype = IFN_DTYPE_Q8_32F),
           "dim 63, expected a multiple of 32 for Q8_32F");
    REFUSE(rms_norm, a.out = NULL, "out is NULL, expected 512 bytes");
    REFUSE(rms_norm, (a.out = NULL, a.out_dtype = IFN_DTYPE_Q8_32F),
           "out is NULL, expected 160 bytes");
    REFUSE(rms_norm, a.x = NULL, "x is NULL, expected 512 bytes");
    REFUSE(rms_norm, a.weight = NULL, "weight is NULL, expected 256 bytes");
}

TEST(rms_norm_keeps_its_buffers_apart)
{
    ACCEPT(rms_norm, a.out = mem[2]);
    ACCEPT(rms_norm, a.sum = mem[2]);
    ACCEPT(rms_norm, a.sum = mem[3]);
    ACCEPT(rms_norm, a.add = a.x);
    REFUSE(rms_norm, (a.out = mem[2], a.out_dtype = IFN_DTYPE_Q8_32F), "out overlaps x");
    REFUSE(rms_norm, a.x = mem[0] + 1, "out overlaps x, expected equal or apart");
    REFUSE(rms_norm, a.sum = mem[0], "out overlaps sum");
    REFUSE(rms_norm, (a.out = mem[2], a.sum = mem[2]), "out overlaps sum");
    REFUSE(rms_norm, a.out = mem[3], "out overlaps add");
    REFUSE(rms_norm, a.weight = mem[0] + 100, "out overlaps weight");
    REFUSE(rms_norm, a.sum = mem[2] + 1, "sum overlaps x, expected equal or apart");
    REFUSE(rms_norm, a.sum = mem[3] + 1, "sum overlaps add, expected equal or apart");
    REFUSE(rms_norm, a.weight = a.sum, "sum overlaps weight");
}

TEST(swiglu_keeps_its_contract)
{
    ACCEPT(swiglu, a.out = mem[2]);
    ACCEPT(swiglu, a.out = mem[3]);
    ACCEPT(swiglu, a.out_dtype = IFN_DTYPE_Q8_32F);
    ACCEPT(swiglu, (a.dim = 0, a.out = NULL, a.gate = NULL, a.up = NULL));
    REFUSE(swiglu, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(swiglu, a.dim = -1, "dim -1, expected 0 or more");
    REFUSE(swiglu, a.out_dtype = IFN_DTYPE_Q8_0, "out_dtype Q8_0, expected F32 or Q8_32F");
    REFUSE(swiglu, (a.dim = 65, a.out_dtype = IFN_DTYPE_Q8_32F),
           "dim 65, expected a multiple of 32 for Q8_32F");
    REFUSE(swiglu, a.out = NULL, "out is NULL, expected 512 bytes");
    REFUSE(swiglu, a.gate = NULL, "gate is NULL, expected 512 bytes");
    REFUSE(swiglu, a.up = NULL, "up is NULL, expected 512 bytes");
    REFUSE(swiglu, a.gate = mem[0] + 1, "out overlaps gate, expected equal or apart");
    REFUSE(swiglu, a.up = mem[0] + 127, "out overlaps up, expected equal or apart");
    REFUSE(swiglu, (a.out = mem[2], a.out_dtype = IFN_DTYPE_Q8_32F), "out overlaps gate");
    REFUSE(swiglu, (a.out = mem[3], a.out_dtype = IFN_DTYPE_Q8_32F), "out overlaps up");
}

TEST(kv_store_keeps_its_contract)
{
    ACCEPT(kv_store, a.cache_dtype = IFN_DTYPE_F16);
    ACCEPT(kv_store, a.cache_dtype = IFN_DTYPE_Q8_0);
    ACCEPT(kv_store, (a.rows = 0, a.first_pos = 7, a.k = NULL, a.v = NULL));
    ACCEPT(kv_store, (a.head_dim = 31, a.cache_dtype = IFN_DTYPE_F16));
    REFUSE(kv_store, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(kv_store, a.max_pos = -1, "max_pos -1, expected 0 or more");
    REFUSE(kv_store, a.n_kv_heads = -1, "n_kv_heads -1, expected 0 or more");
    REFUSE(kv_store, a.head_dim = -1, "head_dim -1, expected 0 or more");
    REFUSE(kv_store, a.first_pos = -1, "first_pos -1: 2 from there on do not fit 7");
    REFUSE(kv_store, a.first_pos = 6, "first_pos 6: 2 from there on do not fit 7");
    REFUSE(kv_store, a.cache_dtype = IFN_DTYPE_BF16, "cache_dtype BF16, expected F32, F16 or Q8_0");
    REFUSE(kv_store, (a.head_dim = 48, a.cache_dtype = IFN_DTYPE_Q8_0),
           "head_dim 48, expected a multiple of 32 for Q8_0");
    REFUSE(kv_store, a.k_cache = NULL, "k_cache is NULL, expected 2688 bytes");
    REFUSE(kv_store, a.v_cache = NULL, "v_cache is NULL, expected 2688 bytes");
    REFUSE(kv_store, a.k = NULL, "k is NULL, expected 768 bytes");
    REFUSE(kv_store, a.v = NULL, "v is NULL, expected 768 bytes");
    REFUSE(kv_store, a.v_cache = mem[0] + 671, "k_cache overlaps v_cache");
    REFUSE(kv_store, a.k = mem[0], "k_cache overlaps k");
    REFUSE(kv_store, a.v = mem[0], "k_cache overlaps v");
    REFUSE(kv_store, a.k = mem[1], "v_cache overlaps k");
    REFUSE(kv_store, a.v = mem[1], "v_cache overlaps v");
    REFUSE(kv_store, a.max_pos = HUGE_EXTENT, "k_cache: larger than any memory");
}

TEST(copy_in_keeps_its_contract)
{
    ACCEPT(copy_in, (a.bytes = 0, a.out = NULL, a.host = NULL));
    ACCEPT(copy_in, a.host = (char *)a.out + 9);
    REFUSE(copy_in, a.out = NULL, "out is NULL, expected 9 bytes");
    REFUSE(copy_in, a.host = NULL, "host is NULL, expected 9 bytes");
    REFUSE(copy_in, a.host = (char *)a.out + 8, "out overlaps host");
    REFUSE(copy_in, a.bytes = SIZE_MAX, "out: larger than any memory");
}

TEST(copy_out_keeps_its_contract)
{
    ACCEPT(copy_out, (a.bytes = 0, a.host = NULL, a.x = NULL));
    ACCEPT(copy_out, a.x = (char *)a.host + 9);
    REFUSE(copy_out, a.host = NULL, "host is NULL, expected 9 bytes");
    REFUSE(copy_out, a.x = NULL, "x is NULL, expected 9 bytes");
    REFUSE(copy_out, a.x = (char *)a.host + 8, "host overlaps x");
    REFUSE(copy_out, a.bytes = SIZE_MAX, "host: larger than any memory");
}
