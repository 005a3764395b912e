#include "scalar.h"

#include "op_table.h"
#include "test.h"

TEST(every_slot_is_filled)
{
    ifn_op_table table = {0};
    ifn_backend_scalar.fill(&table, NULL);
    assert_int_equal(ifn_op_table_first_empty(&table), IFN_OP_COUNT);
    assert_true(table.matmul == ifn_scalar_matmul && table.copy_in == ifn_scalar_copy_in);
}

TEST(it_is_a_leaf_that_needs_nothing)
{
    const ifn_backend_desc *const desc = &ifn_backend_scalar;
    assert_string_equal(desc->name, "scalar");
    assert_int_equal(desc->flags, 0);
    assert_true(!desc->scratch_bytes && !desc->granule && !desc->prepare && !desc->open);
}

/* numerics 12: for the reference all of R0 .. R10 are mandatory; everything else is the strict
 * default. */
TEST(it_declares_every_invariance_and_asks_for_no_leave)
{
    const ifn_manifest strict = {
        .manifest_bytes = sizeof(ifn_manifest), .invariances = 0x7ff, .spans = 1, .pages = 1};
    assert_memory_equal(ifn_backend_scalar.manifest, &strict, sizeof strict);
}
