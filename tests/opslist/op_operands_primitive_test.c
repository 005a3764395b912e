#include "operand_case.h"

enum { F = sizeof(float) };

static void matmul_touches_its_rows_and_columns(void **state)
{
    (void)state;
    ifn_operands o;
    OPERANDS(&o, matmul, (a.part_begin = 1, a.part_end = 2, a.part2_begin = 3, a.part2_end = 5));
    assert_int_equal(o.n, 3);
    assert_shape(&o, "a", 2, 2, 3, 0);
    assert_touches(&o, "a", (touched){mem[2] + 3, 1, 3 * F, 3 * F});
    assert_shape(&o, "b", 2, 3, 5, 0);
    assert_touches(&o, "b", (touched){mem[3] + 3, 3, 2 * F, 5 * F});
    assert_touches(&o, "out", (touched){mem[0] + 5 + 3, 1, 2 * F, 5 * F});
    assert_int_equal(operand_find(&o, "a")->role, IFN_OPERAND_READ);
    assert_int_equal(operand_find(&o, "out")->role, IFN_OPERAND_WRITTEN);
}

static void sum_squares_keeps_one_axis(void **state)
{
    (void)state;
    ifn_operands o;
    OPERANDS(&o, sum_squares_axis, (a.part_begin = 1, a.part_end = 2));
    assert_touches(&o, "x", (touched){mem[2] + 3, 1, 3 * F, 3 * F});
    assert_touches(&o, "out", (touched){mem[0] + 1, 1, F, F});
    OPERANDS(&o, sum_squares_axis, (a.axis = 0, a.part_begin = 1, a.part_end = 3));
    assert_touches(&o, "x", (touched){mem[2] + 1, 2, 2 * F, 3 * F});
    assert_touches(&o, "out", (touched){mem[0] + 1, 1, 2 * F, 2 * F});
}

static void transpose_reads_the_columns_it_writes_as_rows(void **state)
{
    (void)state;
    ifn_operands o;
    OPERANDS(&o, transpose_2d, (a.part_begin = 1, a.part_end = 3));
    assert_touches(&o, "x", (touched){mem[2] + 1, 2, 2 * F, 3 * F});
    assert_shape(&o, "out", 2, 3, 2, 0);
    assert_touches(&o, "out", (touched){mem[0] + 2, 2, 2 * F, 2 * F});
}

static void reshape_has_two_shapes_of_one_run(void **state)
{
    (void)state;
    ifn_operands o;
    OPERANDS(&o, reshape_data, (a.part_begin = 5, a.part_end = 7));
    assert_shape(&o, "x", 2, 3, 4, 0);
    assert_shape(&o, "out", 2, 2, 6, 0);
    assert_touches(&o, "out", (touched){mem[0] + 5, 1, 2 * F, 2 * F});
}

static void gathered_rows_lie_anywhere(void **state)
{
    (void)state;
    ifn_operands o;
    OPERANDS(&o, gather_rows, (a.part_begin = 1, a.part_end = 3));
    assert_shape(&o, "table", 2, 5, 32, 0);
    assert_touches(&o, "table", (touched){NULL, 2, 32 * F, 32 * F});
    assert_ptr_equal(operand_find(&o, "table")->tensor, &legal_w5);
    assert_int_equal(operand_find(&o, "ids")->dtype, IFN_DTYPE_COUNT);
    assert_touches(&o, "ids", (touched){legal_ids + 1, 1, 2 * 4, 2 * 4});
}

/* [2, 3] with one column more kept in each row; then none, then all. */
static void a_triangle_is_counted(void **state)
{
    (void)state;
    static const struct {
        int64_t offset, begin, end;
        size_t elements;
    } cases[] = {{-1, 0, 2, 5},        {0, 0, 2, 3},        {1, 0, 2, 1},  {2, 0, 2, 0},
                 {-9, 0, 2, 6},        {0, 1, 2, 1},        {-1, 0, 1, 3}, {9, 0, 2, 0},
                 {INT64_MAX, 0, 2, 0}, {INT64_MIN, 0, 2, 6}};
    for (size_t i = 0; i < N_OF(cases); i++) {
        ifn_operands o;
        OPERANDS(
            &o, fill_strict_upper_tri,
            (a.offset = cases[i].offset, a.part_begin = cases[i].begin, a.part_end = cases[i].end));
        assert_touches(&o, "x", (touched){NULL, 1, cases[i].elements * F, 3 * F});
    }
}

static void windows_of_columns(void **state)
{
    (void)state;
    ifn_operands o;
    OPERANDS(&o, copy_2d_from_cols, (a.part_begin = 1, a.part_end = 2));
    assert_touches(&o, "x", (touched){mem[2] + 7 + 4, 1, 3 * F, 7 * F});
    assert_touches(&o, "out", (touched){mem[0] + 3, 1, 3 * F, 3 * F});
    OPERANDS(&o, copy_2d_into_cols, (void)0);
    assert_touches(&o, "x", (touched){mem[2], 2, 3 * F, 3 * F});
    assert_touches(&o, "out", (touched){mem[0] + 4, 2, 3 * F, 7 * F});
}

static void copies(void **state)
{
    (void)state;
    ifn_operands o;
    OPERANDS(&o, copy_row_2d, (void)0);
    assert_touches(&o, "x", (touched){mem[2] + 10, 1, 5 * F, 5 * F});
    assert_touches(&o, "out", (touched){mem[0] + 5, 1, 5 * F, 5 * F});
    OPERANDS(&o, copy_contiguous_into, (a.part_begin = 1, a.part_end = 3));
    assert_touches(&o, "x", (touched){mem[2] + 1, 1, 2 * F, 2 * F});
    assert_touches(&o, "out", (touched){mem[0] + 5, 1, 2 * F, 2 * F});
    assert_int_equal(operand_find(&o, "out")->dtype, IFN_DTYPE_COUNT);
}

static void concat_reads_what_each_input_has_of_the_rows(void **state)
{
    (void)state;
    ifn_operands o;
    OPERANDS(&o, concat_dim0, (a.part_begin = 1, a.part_end = 4));
    assert_touches(&o, "a", (touched){mem[2] + 7, 1, 7 * F, 7 * F});
    assert_touches(&o, "b", (touched){mem[3], 2, 7 * F, 7 * F});
    assert_touches(&o, "out", (touched){mem[0] + 7, 3, 7 * F, 7 * F});
}

static void rope_has_heads(void **state)
{
    (void)state;
    ifn_operands o;
    OPERANDS(&o, apply_rope, (a.part_begin = 1, a.part_end = 2));
    assert_shape(&o, "x", 3, 2, 3, 8);
    assert_touches(&o, "x", (touched){mem[2] + 24, 1, 24 * F, 24 * F});
    assert_touches(&o, "table", (touched){mem[3] + 8, 1, 8 * F, 8 * F});
    OPERANDS(&o, apply_rope_single_row, (a.part_begin = 1, a.part_end = 3));
    assert_touches(&o, "out", (touched){mem[0] + 8, 2, 8 * F, 8 * F});
    assert_touches(&o, "table", (touched){mem[3], 1, 8 * F, 8 * F});
}

static void what_is_missing_is_left_out(void **state)
{
    (void)state;
    ifn_operands o;
    OPERANDS(&o, add, (a.n = 0, a.x = NULL, a.y = NULL, a.out = NULL));
    assert_int_equal(o.n, 0);
    OPERANDS(&o, fill_strict_upper_tri, (a.rows = 0, a.x = NULL));
    assert_int_equal(o.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(matmul_touches_its_rows_and_columns),
        RUN(sum_squares_keeps_one_axis),
        RUN(transpose_reads_the_columns_it_writes_as_rows),
        RUN(reshape_has_two_shapes_of_one_run),
        RUN(gathered_rows_lie_anywhere),
        RUN(a_triangle_is_counted),
        RUN(windows_of_columns),
        RUN(copies),
        RUN(concat_reads_what_each_input_has_of_the_rows),
        RUN(rope_has_heads),
        RUN(what_is_missing_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
