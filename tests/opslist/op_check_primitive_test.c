/* One violation at a time, of everything ops.h says about the primitive ops. */
#include <inferno/ops.h>

#include "legal_calls.h"
#include "test.h"

#define HUGE_EXTENT (INT64_MAX / 2)

static void matmul_keeps_its_contract(void **state)
{
    (void)state;
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

/* x and its name; both binary ops and all unary ones share these rules. */
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

static void unary_ops_keep_their_contract(void **state)
{
    (void)state;
    UNARY_RULES(scale);
    UNARY_RULES(add_scalar);
    UNARY_RULES(silu);
    UNARY_RULES(rsqrt_elem);
}

static void binary_ops_keep_their_contract(void **state)
{
    (void)state;
    UNARY_RULES(add);
    UNARY_RULES(hadamard);
    ACCEPT(add, a.y = a.out);
    ACCEPT(hadamard, (a.x = a.out, a.y = a.out));
    REFUSE(add, a.y = NULL, "y is NULL, expected 44 bytes");
    REFUSE(hadamard, a.y = NULL, "y is NULL, expected 44 bytes");
    REFUSE(add, a.y = a.out + 1, "out overlaps y, expected equal or apart");
    REFUSE(hadamard, a.y = a.out + 1, "out overlaps y, expected equal or apart");
}

static void sum_squares_axis_keeps_its_contract(void **state)
{
    (void)state;
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

static void broadcast_row_scalars_keeps_its_contract(void **state)
{
    (void)state;
    ACCEPT(broadcast_row_scalars, (a.rows = 0, a.out = NULL, a.x = NULL));
    REFUSE(broadcast_row_scalars, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(broadcast_row_scalars, a.dim = -1, "dim -1, expected 0 or more");
    REFUSE(broadcast_row_scalars, a.out = NULL, "out is NULL, expected 24 bytes");
    REFUSE(broadcast_row_scalars, a.x = NULL, "x is NULL, expected 8 bytes");
    REFUSE(broadcast_row_scalars, a.x = a.out + 5, "out overlaps x");
}

static void repeat_row_as_matrix_keeps_its_contract(void **state)
{
    (void)state;
    ACCEPT(repeat_row_as_matrix, (a.dim = 0, a.out = NULL, a.x = NULL));
    REFUSE(repeat_row_as_matrix, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(repeat_row_as_matrix, a.dim = -1, "dim -1, expected 0 or more");
    REFUSE(repeat_row_as_matrix, a.out = NULL, "out is NULL, expected 24 bytes");
    REFUSE(repeat_row_as_matrix, a.x = NULL, "x is NULL, expected 12 bytes");
    REFUSE(repeat_row_as_matrix, a.x = a.out, "out overlaps x");
}

static void transpose_2d_keeps_its_contract(void **state)
{
    (void)state;
    ACCEPT(transpose_2d, (a.rows = 0, a.out = NULL, a.x = NULL));
    REFUSE(transpose_2d, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(transpose_2d, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(transpose_2d, a.out = NULL, "out is NULL, expected 24 bytes");
    REFUSE(transpose_2d, a.x = NULL, "x is NULL, expected 24 bytes");
    REFUSE(transpose_2d, a.x = a.out, "out overlaps x");
}

static void reshape_data_keeps_its_contract(void **state)
{
    (void)state;
    ACCEPT(reshape_data, a.x = a.out);
    ACCEPT(reshape_data, (a.rows = 0, a.out_cols = 0, a.out = NULL, a.x = NULL));
    REFUSE(reshape_data, a.rows = -3, "rows -3, expected 0 or more");
    REFUSE(reshape_data, a.cols = -4, "cols -4, expected 0 or more");
    REFUSE(reshape_data, a.out_rows = -2, "out_rows -2, expected 0 or more");
    REFUSE(reshape_data, a.out_cols = -6, "out_cols -6, expected 0 or more");
    REFUSE(reshape_data, a.out_cols = 5, "out [2, 5], expected the elements of [3, 4]");
    REFUSE(reshape_data, a.rows = INT64_MAX, "x: larger than any memory");
    REFUSE(reshape_data, a.out_rows = INT64_MAX, "out: larger than any memory");
    REFUSE(reshape_data, a.out = NULL, "out is NULL, expected 48 bytes");
    REFUSE(reshape_data, a.x = NULL, "x is NULL, expected 48 bytes");
    REFUSE(reshape_data, a.x = a.out + 1, "out overlaps x, expected equal or apart");
}

static void softmax_rows_keeps_its_contract(void **state)
{
    (void)state;
    ACCEPT(softmax_rows, a.x = a.out);
    ACCEPT(softmax_rows, (a.cols = 0, a.out = NULL, a.x = NULL));
    REFUSE(softmax_rows, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(softmax_rows, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(softmax_rows, a.out = NULL, "out is NULL, expected 24 bytes");
    REFUSE(softmax_rows, a.x = NULL, "x is NULL, expected 24 bytes");
    REFUSE(softmax_rows, a.x = a.out + 3, "out overlaps x, expected equal or apart");
}

static void gather_rows_keeps_its_contract(void **state)
{
    (void)state;
    ACCEPT(gather_rows, (a.n = 0, a.out = NULL, a.ids = NULL));
    ACCEPT(gather_rows, (legal_w5.data = NULL, a.packed = mem[5]));
    ACCEPT(gather_rows, a.table = &legal_q5);
    REFUSE(gather_rows, a.n = -1, "n -1, expected 0 or more");
    REFUSE(gather_rows, a.out = NULL, "out is NULL, expected 512 bytes");
    REFUSE(gather_rows, a.ids = NULL, "ids is NULL, expected 16 bytes");
    REFUSE(gather_rows, a.table = NULL, "table is NULL, expected a tensor");
    REFUSE(gather_rows, legal_w5.data = NULL, "table is NULL, expected 640 bytes");
    REFUSE(gather_rows, legal_w5.data = a.out + 100, "out overlaps table");
    REFUSE(gather_rows, a.out = mem[6] + 159, "out overlaps table");
    REFUSE(gather_rows, a.ids = (const int32_t *)a.out, "out overlaps ids");
}

static void gather_rows_looks_at_its_table(void **state)
{
    (void)state;
    REFUSE(gather_rows, legal_w5.n_dims = 3, "table w5: 3 dimensions, expected 2");
    REFUSE(gather_rows, legal_w5.n_dims = 1, "table w5: 1 dimensions, expected 2");
    REFUSE(gather_rows, legal_w5.shape[0] = -5, "table w5: shape [-5, 32], expected 0 or more");
    REFUSE(gather_rows, legal_w5.shape[1] = -32, "table w5: shape [5, -32], expected 0 or more");
    REFUSE(gather_rows, legal_w5.dtype = IFN_DTYPE_COUNT,
           "table w5: dtype ?, expected one that files hold");
    REFUSE(gather_rows, legal_w5.dtype = IFN_DTYPE_Q8_32F,
           "table w5: dtype Q8_32F, expected one that files hold");
    REFUSE(gather_rows, legal_w5.dtype = IFN_DTYPE_Q4_K,
           "table w5: rows of 32, expected a multiple of 256 for Q4_K");
    REFUSE(gather_rows, legal_w5.shape[0] = INT64_MAX, "table: larger than any memory");
}

static void gather_rows_looks_at_the_ids_of_its_part_only(void **state)
{
    (void)state;
    ACCEPT(gather_rows, legal_ids[1] = 0);
    REFUSE_AS(gather_rows, legal_ids[1] = -1, IFN_ERR_ARGUMENT, "ids[1] -1, w5 has 5 rows");
    REFUSE_AS(gather_rows, legal_ids[3] = 5, IFN_ERR_ARGUMENT, "ids[3] 5, w5 has 5 rows");
    ACCEPT(gather_rows, (legal_ids[3] = 5, a.part_end = 3));
    ACCEPT(gather_rows, (legal_ids[0] = 5, a.part_begin = 1, a.part_end = 4));
    REFUSE_AS(gather_rows, (legal_ids[2] = 9, a.part_begin = 2, a.part_end = 3), IFN_ERR_ARGUMENT,
              "ids[2] 9, w5 has 5 rows");
    REFUSE(gather_rows, (legal_ids[3] = 5, a.part_end = 9),
           "part [0, 9), expected a range inside [0, 4)");
    REFUSE(gather_rows, (a.part_begin = -9, a.part_end = 2),
           "part [-9, 2), expected a range inside [0, 4)");
}

static void fill_strict_upper_tri_keeps_its_contract(void **state)
{
    (void)state;
    ACCEPT(fill_strict_upper_tri, a.offset = INT64_MIN);
    ACCEPT(fill_strict_upper_tri, a.offset = INT64_MAX);
    ACCEPT(fill_strict_upper_tri, (a.rows = 0, a.x = NULL));
    REFUSE(fill_strict_upper_tri, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(fill_strict_upper_tri, a.cols = -1, "cols -1, expected 0 or more");
    REFUSE(fill_strict_upper_tri, a.x = NULL, "x is NULL, expected 24 bytes");
    REFUSE(fill_strict_upper_tri, a.rows = HUGE_EXTENT, "x: larger than any memory");
}

static void copy_2d_from_cols_keeps_its_contract(void **state)
{
    (void)state;
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

static void copy_2d_into_cols_keeps_its_contract(void **state)
{
    (void)state;
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

static void copy_row_2d_keeps_its_contract(void **state)
{
    (void)state;
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

static void copy_contiguous_into_keeps_its_contract(void **state)
{
    (void)state;
    ACCEPT(copy_contiguous_into, a.to_host = 1);
    ACCEPT(copy_contiguous_into, (a.n = 0, a.out_offset = 7, a.x = NULL));
    REFUSE(copy_contiguous_into, a.n = -1, "n -1, expected 0 or more");
    REFUSE(copy_contiguous_into, a.out_n = -1, "out_n -1, expected 0 or more");
    REFUSE(copy_contiguous_into, a.out_offset = -1, "out_offset -1: 3 from there on do not fit 7");
    REFUSE(copy_contiguous_into, a.out_offset = 5, "out_offset 5: 3 from there on do not fit 7");
    REFUSE(copy_contiguous_into, a.out = NULL, "out is NULL, expected 28 bytes");
    REFUSE(copy_contiguous_into, a.x = NULL, "x is NULL, expected 12 bytes");
    REFUSE(copy_contiguous_into, a.x = mem[0] + 6, "out overlaps x");
}

static void concat_dim0_keeps_its_contract(void **state)
{
    (void)state;
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

/* The table holds a row for each row of x: `table_bytes` of them for one op, for the other. */
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

static void rope_keeps_its_contract(void **state)
{
    (void)state;
    ROPE_RULES(apply_rope_single_row, "96", "32");
    ROPE_RULES(apply_rope, "192", "64");
    ACCEPT(apply_rope, (a.rows = 0, a.out = NULL, a.x = NULL, a.table = NULL));
    REFUSE(apply_rope, a.rows = -1, "rows -1, expected 0 or more");
    REFUSE(apply_rope, a.rows = HUGE_EXTENT, "x: larger than any memory");
}

static void argmax_with_prob_keeps_its_contract(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(matmul_keeps_its_contract),
        RUN(unary_ops_keep_their_contract),
        RUN(binary_ops_keep_their_contract),
        RUN(sum_squares_axis_keeps_its_contract),
        RUN(broadcast_row_scalars_keeps_its_contract),
        RUN(repeat_row_as_matrix_keeps_its_contract),
        RUN(transpose_2d_keeps_its_contract),
        RUN(reshape_data_keeps_its_contract),
        RUN(softmax_rows_keeps_its_contract),
        RUN(gather_rows_keeps_its_contract),
        RUN(gather_rows_looks_at_its_table),
        RUN(gather_rows_looks_at_the_ids_of_its_part_only),
        RUN(fill_strict_upper_tri_keeps_its_contract),
        RUN(copy_2d_from_cols_keeps_its_contract),
        RUN(copy_2d_into_cols_keeps_its_contract),
        RUN(copy_row_2d_keeps_its_contract),
        RUN(copy_contiguous_into_keeps_its_contract),
        RUN(concat_dim0_keeps_its_contract),
        RUN(rope_keeps_its_contract),
        RUN(argmax_with_prob_keeps_its_contract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
