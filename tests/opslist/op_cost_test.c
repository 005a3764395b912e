#include "op_cost.h"

#include "operand_case.h"

static ifn_op_cost cost_of(ifn_op op, const ifn_call *args)
{
    ifn_operands operands;
    ifn_op_operands(op, args, &operands);
    return ifn_op_cost_of(op, args, &operands);
}

/* COST(matmul, change, bytes, flops): expects these of the legal call with this change. */
#define COST(name, change, expected_bytes, expected_flops)                                         \
    do {                                                                                           \
        ifn_##name##_args a = legal_##name();                                                      \
        change;                                                                                    \
        const ifn_op_cost cost = cost_of(op_by_name(#name), &a.call);                              \
        assert_that(cost.bytes == (expected_bytes) && cost.flops == (expected_flops),              \
                    #name ": %llu bytes and %llu flops, expected %llu and %llu",                   \
                    (unsigned long long)cost.bytes, (unsigned long long)cost.flops,                \
                    (unsigned long long)(expected_bytes), (unsigned long long)(expected_flops));   \
    } while (0)

/* Expected values are worked out by hand from the formulas. */
TEST(primitive_ops)
{
    COST(matmul, (void)0, 4 * (2 * 3 + 3 * 5 + 2 * 5), 2 * 2 * 3 * 5);
    COST(matmul, (a.part_end = 1, a.part2_begin = 1, a.part2_end = 3), 4 * (3 + 3 * 2 + 2),
         2 * 1 * 3 * 2);
    COST(add, (void)0, 4 * 33, 11);
    COST(hadamard, a.part_end = 4, 4 * 12, 4);
    COST(scale, (void)0, 4 * 22, 11);
    COST(add_scalar, (void)0, 4 * 22, 11);
    COST(silu, (void)0, 4 * 22, 33);
    COST(rsqrt_elem, (void)0, 4 * 22, 22);
    COST(sum_squares_axis, (void)0, 4 * (6 + 2), 12);
    COST(sum_squares_axis, (a.axis = 0, a.part_end = 2), 4 * (4 + 2), 8);
    COST(broadcast_row_scalars, (void)0, 4 * (2 + 6), 0);
    COST(softmax_rows, (void)0, 4 * 12, 24);
    COST(gather_rows, (void)0, 4 * 32 * 4 + 4 * 4 + 4 * 32 * 4, 0);
    COST(gather_rows, a.table = &legal_q5, 4 * 34 + 4 * 4 + 4 * 32 * 4, 4 * 32);
    COST(fill_strict_upper_tri, (void)0, 4 * 5, 0);
    COST(apply_rope, (void)0, 4 * (48 + 16 + 48), 3 * 48);
    COST(apply_rope_single_row, a.part_end = 2, 4 * (16 + 8 + 16), 3 * 16);
    COST(argmax_with_prob, (void)0, 4 * 11, 0);
}

TEST(fused_ops)
{
    COST(linear, (void)0, 4 * (96 + 12 * 32 + 5 + 15 + 21), 3 * 12 * 64 + 15);
    COST(linear, (a.part_begin = 3, a.part_end = 7, a.part2_end = 1), 4 * (32 + 4 * 32 + 2 + 2 + 2),
         4 * 64 + 2);
    COST(linear_q8, (void)0, 3 * 40 + 12 * 34 + 4 * (5 + 15 + 21), 3 * 12 * 64 + 15);
    COST(quantize_rows, (void)0, 128 * 4 + 2 * 68, 128);
    COST(quantize_rows, a.out_dtype = IFN_DTYPE_F16, 128 * 4 + 2 * 128, 0);
    COST(dequantize_rows, (void)0, 128 * 4 + 2 * 68, 128);
    COST(rms_norm, (void)0, 4 * (4 * 128 + 64), 2 * (5 * 64 + 4));
    COST(rms_norm, (a.add = NULL, a.sum = NULL, a.out_dtype = IFN_DTYPE_Q8_32F),
         4 * (128 + 64) + 2 * 80, 2 * (5 * 64 + 4));
    COST(swiglu, (void)0, 4 * 3 * 128, 4 * 128);
    COST(kv_store, (void)0, 4 * 4 * 2 * 3 * 32, 0);
    COST(kv_store, a.cache_dtype = IFN_DTYPE_Q8_0, 2 * 6 * (128 + 34), 2 * 6 * 32);
    COST(copy_in, (void)0, 18, 0);
    COST(copy_out, (void)0, 18, 0);
}

/* The rows at positions 5 and 6 see 6 and 7 keys. */
TEST(attention_counts_the_pairs_that_see_each_other)
{
    COST(attention, (void)0, 4 * (2 * 192 * 2 + 2 * 3 * 7 * 32), 6 * 13 * (4 * 32 + 4));
    COST(attention, (a.part_begin = 1, a.part_end = 2), 4 * (2 * 32 * 2 + 2 * 7 * 32),
         13 * (4 * 32 + 4));
}

/* However the blocks are cut, the flops of PARTIALS add up to those of the whole. */
TEST(blocks_of_keys_add_up)
{
    for (int64_t first = 0; first < 600; first += 37) {
        ifn_attention_args a = legal_attention();
        a.first_pos = first;
        a.max_pos = 1000;
        a.rows = 300;
        const uint64_t whole = cost_of(IFN_OP_ATTENTION, &a.call).flops;
        uint64_t by_hand = 0, sum = 0;
        for (int64_t i = 0; i < a.rows; i++)
            by_hand += (uint64_t)(6 * (first + i + 1) * (4 * 32 + 4));
        a.phase = IFN_ATTENTION_PARTIALS;
        a.partials = mem[5];
        const int64_t blocks = ifn_op_extent(IFN_OP_ATTENTION, &a.call, 1);
        for (int64_t b = 0; b < blocks; b++) {
            ifn_op_set_part(IFN_OP_ATTENTION, &a.call, 1, b, b + 1);
            sum += cost_of(IFN_OP_ATTENTION, &a.call).flops;
        }
        assert_true(whole == by_hand);
        assert_true(sum == by_hand);
    }
}

TEST(merging_is_three_operations_for_each_part_of_a_block)
{
    COST(attention, (a.phase = IFN_ATTENTION_MERGE, a.partials = mem[5]), 4 * (12 * 34 + 2 * 192),
         3 * 12 * 33);
}

TEST(elements_are_those_of_the_largest_operand)
{
    static const struct {
        ifn_op op;
        uint64_t elements;
    } rows[] = {{IFN_OP_MATMUL, 15},
                {IFN_OP_ARGMAX_WITH_PROB, 9},
                {IFN_OP_LINEAR, 7 * 32},
                {IFN_OP_GATHER_ROWS, 128},
                {IFN_OP_RMS_NORM, 128}};
    for (size_t i = 0; i < N_OF(rows); i++) {
        const ifn_args a = legal_call(rows[i].op);
        ifn_op_cost cost;
        ifn_error err = {0};
        assert_ok(ifn_op_count_cost(rows[i].op, &a.call, &cost, &err), err);
        assert_that(cost.elements == rows[i].elements, "%s: %llu", ifn_op_name(rows[i].op),
                    (unsigned long long)cost.elements);
    }
}

TEST(an_illegal_call_has_no_cost)
{
    ifn_args a = legal_call(IFN_OP_ADD);
    ifn_op_cost cost;
    ifn_error err = {0};
    a.add.n = -1;
    assert_int_equal(ifn_op_count_cost(IFN_OP_ADD, &a.call, &cost, &err), IFN_ERR_SHAPE);
    assert_true(cost.bytes == 0 && cost.flops == 0 && cost.elements == 0);
}
