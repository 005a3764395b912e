#include "operand_case.h"

enum { F = sizeof(float) };

/* The features lie end to end: 0 .. 4 belong to w[0], 5 .. 11 to w[1]. */
TEST(linear_touches_the_features_and_rows_of_its_part)
{
    ifn_operands o;
    OPERANDS(&o, linear,
             (a.part_begin = 3, a.part_end = 7, a.part2_begin = 1, a.part2_end = 3, a.x_stride = 40,
              a.out_stride[0] = 12, a.out_stride[1] = 12));
    assert_int_equal(o.n, 6); /* x, two weights, one bias, two outputs */
    assert_shape(&o, "x", 2, 3, 32, 0);
    assert_touches(&o, "x", (touched){mem[2] + 40, 2, 32 * F, 40 * F});
    assert_shape(&o, "w[1]", 2, 7, 32, 0);
    assert_touches(&o, "w[0]", (touched){mem[6] + 3 * 32, 2, 32 * F, 32 * F});
    assert_touches(&o, "w[1]", (touched){mem[7], 2, 32 * F, 32 * F});
    assert_ptr_equal(operand_find(&o, "w[1]")->tensor, &legal_w7);
    assert_touches(&o, "bias[0]", (touched){mem[3] + 3, 1, 2 * F, 2 * F});
    assert_null(operand_find(&o, "bias[1]"));
    assert_shape(&o, "out[0]", 2, 3, 5, 0);
    assert_touches(&o, "out[0]", (touched){mem[0] + 12 + 3, 2, 2 * F, 12 * F});
    assert_touches(&o, "out[1]", (touched){mem[1] + 12, 2, 2 * F, 12 * F});
}

TEST(a_packed_weight_has_a_size_but_no_rows)
{
    ifn_operands o;
    OPERANDS(&o, linear, a.packed[0] = mem[5]);
    assert_touches(&o, "w[0]", (touched){NULL, 5, 32 * F, 32 * F});
    assert_touches(&o, "w[1]", (touched){mem[7], 7, 32 * F, 32 * F});
}

TEST(linear_q8_reads_blocks)
{
    ifn_operands o;
    OPERANDS(&o, linear_q8, (a.part2_begin = 1, a.part2_end = 2));
    assert_int_equal(operand_find(&o, "x")->dtype, IFN_DTYPE_Q8_32F);
    assert_touches(&o, "x", (touched){mem[2] + 10, 1, 40, 40});
    assert_touches(&o, "w[0]", (touched){mem[6], 5, 34, 34});
    assert_touches(&o, "out[1]", (touched){mem[1] + 7, 1, 7 * F, 7 * F});
}

/* Six query heads over three KV heads, and 7 keys in a cache of 9. */
TEST(attention_reads_the_keys_its_heads_see)
{
    ifn_operands o;
    OPERANDS(&o, attention, (a.part_begin = 1, a.part_end = 3));
    assert_touches(&o, "q", (touched){mem[2] + 32, 2, 2 * 32 * F, 6 * 32 * F});
    assert_touches(&o, "k_cache", (touched){mem[3], 2, 7 * 32 * F, 9 * 32 * F});
    assert_shape(&o, "k_cache", 3, 3, 9, 32);
    assert_touches(&o, "out", (touched){mem[0] + 32, 2, 2 * 32 * F, 6 * 32 * F});
    OPERANDS(&o, attention, (a.part_begin = 4, a.part_end = 6));
    assert_touches(&o, "v_cache", (touched){mem[4] + 2 * 9 * 32, 1, 7 * 32 * F, 9 * 32 * F});
    OPERANDS(&o, attention, (a.part_begin = 2, a.part_end = 2)); /* none */
    assert_int_equal(operand_find(&o, "k_cache")->rows, 0);
    assert_int_equal(operand_find(&o, "v_cache")->rows, 0);
}

/* 702 keys are three blocks. */
TEST(partials_are_written_by_one_phase_and_read_by_the_other)
{
    ifn_operands o;
    OPERANDS(&o, attention,
             (a.first_pos = 700, a.max_pos = 800, a.partials = mem[5],
              a.phase = IFN_ATTENTION_PARTIALS, a.part2_begin = 1, a.part2_end = 3));
    assert_touches(&o, "k_cache",
                   (touched){mem[3] + 256 * 32, 3, (702 - 256) * 32 * F, 800 * 32 * F});
    assert_touches(&o, "partials", (touched){NULL, 2 * 6, 2 * 34 * F, 3 * 34 * F});
    assert_int_equal(operand_find(&o, "partials")->role, IFN_OPERAND_WRITTEN);
    assert_null(operand_find(&o, "out"));
    OPERANDS(&o, attention,
             (a.first_pos = 700, a.max_pos = 800, a.partials = mem[5],
              a.phase = IFN_ATTENTION_MERGE, a.part_begin = 1, a.part_end = 2));
    assert_int_equal(o.n, 2);
    assert_touches(&o, "partials", (touched){NULL, 2, 3 * 34 * F, 3 * 34 * F});
    assert_touches(&o, "out", (touched){mem[0] + 32, 2, 32 * F, 6 * 32 * F});
}

/* An empty part of blocks may begin after the last one, where position 256 is past all keys. */
TEST(no_blocks_read_no_keys)
{
    ifn_operands o;
    OPERANDS(&o, attention,
             (a.partials = mem[5], a.phase = IFN_ATTENTION_PARTIALS, a.part2_begin = 1,
              a.part2_end = 1));
    assert_int_equal(operand_find(&o, "k_cache")->row_bytes, 0);
    assert_int_equal(operand_find(&o, "v_cache")->row_bytes, 0);
    assert_int_equal(operand_find(&o, "partials")->row_bytes, 0);
}

TEST(no_rows_leave_no_partials)
{
    ifn_operands o;
    OPERANDS(&o, attention, (a.rows = 0, a.phase = IFN_ATTENTION_PARTIALS));
    assert_null(operand_find(&o, "partials"));
    assert_non_null(operand_find(&o, "q"));
}

TEST(gathered_rows_lie_anywhere)
{
    ifn_operands o;
    OPERANDS(&o, gather_rows, (a.part_begin = 1, a.part_end = 3));
    assert_shape(&o, "table", 2, 5, 32, 0);
    assert_touches(&o, "table", (touched){NULL, 2, 32 * F, 32 * F});
    assert_ptr_equal(operand_find(&o, "table")->tensor, &legal_w5);
    assert_int_equal(operand_find(&o, "ids")->dtype, IFN_DTYPE_COUNT);
    assert_touches(&o, "ids", (touched){legal_ids + 1, 1, 2 * 4, 2 * 4});
}

/* [2, 3] with one column more kept in each row; then none, then all. */
TEST(a_triangle_is_counted)
{
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
