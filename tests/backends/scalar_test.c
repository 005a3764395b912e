#include "scalar.h"

#include <inferno/spans.h>

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

/* Two spans of one row each in pages of 16; the page of the second is none. */
TEST(what_is_wrong_with_a_later_span_is_seen_before_the_first_is_run)
{
    static const ifn_span spans[] = {{0, 0, 1}, {16, 0, 1}};
    static const int32_t pages[] = {0, 1};
    const float new[] = {1, 2};
    float k[16] = {0}, v[16] = {0}, out[2] = {0, 0};
    const ifn_kv_store_args store =
        IFN_ARGS(kv_store, .k_cache = k, .v_cache = v, .k = new, .v = new, .rows = 2, .max_pos = 16,
                 .n_kv_heads = 1, .head_dim = 1, .cache_dtype = IFN_DTYPE_F32, .spans = spans,
                 .n_spans = 2, .pages = pages, .n_pages = 2, .page_rows = 16);
    const ifn_attention_args attend = IFN_ARGS(
        attention, .out = out, .q = new, .k_cache = k, .v_cache = v, .rows = 2, .max_pos = 16,
        .n_heads = 1, .n_kv_heads = 1, .head_dim = 1, .scale = 1, .cache_dtype = IFN_DTYPE_F32,
        .spans = spans, .n_spans = 2, .pages = pages, .n_pages = 2, .page_rows = 16);
    assert_int_equal(ifn_scalar_kv_store(NULL, &store), IFN_ERR_SHAPE);
    assert_true(k[0] == 0 && v[0] == 0);
    v[0] = 3;
    assert_int_equal(ifn_scalar_attention(NULL, &attend), IFN_ERR_SHAPE);
    assert_true(out[0] == 0 && out[1] == 0);
}
