#include "op_table.h"

#include "test.h"

/* first_<op> and second_<op> are never called: they are two different addresses. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status first_##name(ifn_backend *self, const ifn_##name##_args *a)                  \
    {                                                                                              \
        (void)self;                                                                                \
        return a ? IFN_OK : IFN_ERR_SHAPE;                                                         \
    }                                                                                              \
    static ifn_status second_##name(ifn_backend *self, const ifn_##name##_args *a)                 \
    {                                                                                              \
        (void)self;                                                                                \
        return a ? IFN_OK : IFN_ERR_IO;                                                            \
    }
IFN_OPS(X)
#undef X

static const ifn_op_table first = {
#define X(NAME, name, cut, cut2, doc) .name = first_##name,
    IFN_OPS(X)
#undef X
};

static const ifn_op_table second = {
#define X(NAME, name, cut, cut2, doc) .name = second_##name,
    IFN_OPS(X)
#undef X
};

TEST(an_empty_slot_inherits)
{
    ifn_op_table table = first;
    const ifn_op_table level = {.silu = second_silu, .copy_in = second_copy_in};
    ifn_op_overlay(&table, &level);
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        const bool replaced = op == IFN_OP_SILU || op == IFN_OP_COPY_IN;
        assert_int_equal(ifn_op_same_slot(&table, &first, op), !replaced);
        assert_int_equal(ifn_op_same_slot(&table, &second, op), replaced);
    }
}

TEST(a_full_level_replaces_every_slot)
{
    ifn_op_table table = first;
    ifn_op_overlay(&table, &second);
    for (int i = 0; i < IFN_OP_COUNT; i++)
        assert_true(ifn_op_same_slot(&table, &second, (ifn_op)i));
}

TEST(the_first_empty_slot_is_named)
{
    ifn_op_table table = first;
    assert_int_equal(ifn_op_table_first_empty(&table), IFN_OP_COUNT);
    table.copy_in = NULL;
    assert_int_equal(ifn_op_table_first_empty(&table), IFN_OP_COPY_IN);
    table.scale = NULL;
    assert_int_equal(ifn_op_table_first_empty(&table), IFN_OP_SCALE);
    table.matmul = NULL;
    assert_int_equal(ifn_op_table_first_empty(&table), IFN_OP_MATMUL);
}

TEST(what_is_no_op_shares_nothing)
{
    assert_false(ifn_op_same_slot(&first, &first, IFN_OP_COUNT));
    assert_false(ifn_op_same_slot(&first, &first, (ifn_op)-1));
}
