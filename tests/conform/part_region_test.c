#include "part_region.h"

#include "test.h"

/* Expects which elements of 4 bytes belong to the region: "1100" means the first two of four. */
static void expect_bytes(const conform_region *r, const char *expected)
{
    for (size_t i = 0; expected[i]; i++) {
        const size_t within = 4 * i % r->stride;
        size_t begin, end;
        conform_region_row(r, (int64_t)(4 * i / r->stride), &begin, &end);
        assert_that((within >= begin && within < end) == (expected[i] == '1'), "element %zu of %s",
                    i, expected);
    }
}

static conform_layout one_out(int64_t rows, int64_t cols, int64_t stride)
{
    conform_layout l = {.n = 0};
    conform_add_strided(&l, "out", ROLE_OUT, rows, cols, stride);
    return l;
}

TEST(rows_and_columns_cut_a_rectangle)
{
    const ifn_args args = {.matmul = {.m = 3, .p = 4}};
    const conform_layout l = one_out(3, 4, 4);
    const conform_part rows = {{1, 0}, {2, 0}}, both = {{1, 2}, {3, 3}};
    const conform_region a = conform_part_region(IFN_OP_MATMUL, &args, &l, 0, &rows);
    const conform_region b = conform_part_region(IFN_OP_MATMUL, &args, &l, 0, &both);
    expect_bytes(&a, "000011110000");
    expect_bytes(&b, "000000100010");
}

TEST(features_are_counted_end_to_end)
{
    const ifn_args args = {.linear = {.n_w = 2}};
    conform_layout l = one_out(2, 2, 3);
    conform_add_strided(&l, "out_1", ROLE_OUT, 2, 3, 3);
    const conform_part part = {{1, 1}, {4, 2}};
    const conform_region a = conform_part_region(IFN_OP_LINEAR, &args, &l, 0, &part);
    const conform_region b = conform_part_region(IFN_OP_LINEAR, &args, &l, 1, &part);
    expect_bytes(&a, "000010");
    expect_bytes(&b, "000110");
}

TEST(elements_lie_in_order)
{
    const ifn_args copy = {.copy_contiguous_into = {.n = 3, .out_n = 6, .out_offset = 2}};
    const ifn_args reshape = {.reshape_data = {.rows = 2, .cols = 3}};
    const conform_layout line = one_out(1, 6, 6), rows = one_out(3, 2, 2);
    const conform_part part = {{1, 0}, {3, 0}};
    const conform_region a =
        conform_part_region(IFN_OP_COPY_CONTIGUOUS_INTO, &copy, &line, 0, &part);
    const conform_region b = conform_part_region(IFN_OP_RESHAPE_DATA, &reshape, &rows, 0, &part);
    expect_bytes(&a, "000110");
    expect_bytes(&b, "011000");
}

TEST(heads_come_again_in_every_row)
{
    const ifn_args attention = {.attention = {.rows = 2, .n_heads = 3, .head_dim = 1}};
    const ifn_args store = {.kv_store = {.n_kv_heads = 3, .max_pos = 2, .head_dim = 1}};
    const conform_layout l = one_out(6, 1, 1);
    const conform_part part = {{1, 0}, {2, 0}};
    const conform_region a = conform_part_region(IFN_OP_ATTENTION, &attention, &l, 0, &part);
    const conform_region b = conform_part_region(IFN_OP_KV_STORE, &store, &l, 0, &part);
    expect_bytes(&a, "010010");
    expect_bytes(&b, "001100");
}
