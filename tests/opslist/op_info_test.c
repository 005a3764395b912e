#include <inferno/ops.h>

#include "test.h"

TEST(every_op_is_found_by_its_own_name)
{
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        ifn_op found = IFN_OP_COUNT;
        assert_true(ifn_op_from_name(ifn_op_name((ifn_op)i), &found));
        assert_int_equal(found, i);
    }
}

TEST(names_and_docs_are_those_of_the_list)
{
    assert_string_equal(ifn_op_name(IFN_OP_MATMUL), "matmul");
    assert_string_equal(ifn_op_name(IFN_OP_COPY_IN), "copy_in");
    assert_string_equal(ifn_op_doc(IFN_OP_MATMUL), "C = A B, f32");
}

TEST(cuts_are_those_of_the_list)
{
    assert_int_equal(ifn_op_cut(IFN_OP_MATMUL, 0), IFN_CUT_ROWS);
    assert_int_equal(ifn_op_cut(IFN_OP_MATMUL, 1), IFN_CUT_COLS);
    assert_int_equal(ifn_op_cut(IFN_OP_ADD, 0), IFN_CUT_ELEMENTS);
    assert_int_equal(ifn_op_cut(IFN_OP_ADD, 1), IFN_CUT_NONE);
    assert_int_equal(ifn_op_cut(IFN_OP_ATTENTION, 1), IFN_CUT_KEY_BLOCKS);
    assert_int_equal(ifn_op_cut(IFN_OP_COPY_IN, 0), IFN_CUT_NONE);
}

TEST(sizes_are_those_of_the_structs)
{
    assert_true(ifn_op_args_bytes(IFN_OP_MATMUL) == sizeof(ifn_matmul_args));
    assert_true(ifn_op_args_bytes(IFN_OP_ATTENTION) == sizeof(ifn_attention_args));
    assert_true(IFN_ARGS(attention, .rows = 1).call.bytes == sizeof(ifn_attention_args));
}

TEST(what_is_no_op_says_so)
{
    ifn_op op = IFN_OP_SILU;
    assert_string_equal(ifn_op_name(IFN_OP_COUNT), "?");
    assert_string_equal(ifn_op_doc((ifn_op)-1), "?");
    assert_int_equal(ifn_op_cut(IFN_OP_COUNT, 0), IFN_CUT_NONE);
    assert_int_equal(ifn_op_cut(IFN_OP_MATMUL, 2), IFN_CUT_NONE);
    assert_int_equal(ifn_op_cut(IFN_OP_MATMUL, -1), IFN_CUT_NONE);
    assert_true(ifn_op_args_bytes(IFN_OP_COUNT) == 0);
    assert_false(ifn_op_from_name("matmu", &op));
    assert_false(ifn_op_from_name("matmul2", &op));
    assert_false(ifn_op_from_name("", &op));
    assert_int_equal(op, IFN_OP_SILU);
}

TEST(a_call_says_where_it_stands)
{
    char place[40];
    ifn_call_place(&(ifn_call){.layer = 3, .point = IFN_POINT_Q_ROPE}, place, sizeof place);
    assert_string_equal(place, "blk.3.q_rope");
    ifn_call_place(&(ifn_call){.layer = -1, .point = IFN_POINT_LOGITS}, place, sizeof place);
    assert_string_equal(place, "logits");
    ifn_call_place(&(ifn_call){.layer = 3}, place, sizeof place);
    assert_string_equal(place, "");
    ifn_call_place(&(ifn_call){.layer = 3, .point = IFN_POINT_Q_ROPE}, place, 4);
    assert_string_equal(place, "blk");
    assert_string_equal(ifn_point_name(IFN_POINT_COUNT), "?");
    assert_string_equal(ifn_point_name(-1), "?");
}
