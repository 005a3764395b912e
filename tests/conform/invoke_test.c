#include "invoke.h"

#include "test.h"

static ifn_op called;

/* record_matmul, ...: each slot of the table records which op it is. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status record_##name(ifn_backend *self, const ifn_##name##_args *a)                 \
    {                                                                                              \
        (void)self;                                                                                \
        (void)a;                                                                                   \
        called = IFN_OP_##NAME;                                                                    \
        return IFN_ERR_IO;                                                                         \
    }
IFN_OPS(X)
#undef X

TEST(every_entry_calls_its_own_op)
{
    static const ifn_op_table table = {
#define X(NAME, name, cut, cut2, doc) .name = record_##name,
        IFN_OPS(X)
#undef X
    };
    ifn_backend backend = {.ops = &table};
    const ifn_args args = {.call = {.lane = 0}};
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        called = IFN_OP_COUNT;
        assert_int_equal(conform_op_entry((ifn_op)op)(&backend, &args.call), IFN_ERR_IO);
        assert_int_equal(called, op);
    }
}

TEST(handles_reach_the_weights_of_the_call)
{
    int a, b;
    const ifn_packed packed[IFN_LINEAR_MAX] = {{.data = &a}, {.data = &b}, {.data = &a}};
    const ifn_tensor w = {.name = "w"};
    const ifn_tensor *weights[IFN_LINEAR_MAX];
    conform_call call = {.args.linear = {.n_w = 2, .w = {&w, &w}}};
    conform_set_packed(IFN_OP_LINEAR, &call, packed);
    assert_ptr_equal(call.args.linear.packed[0], &a);
    assert_ptr_equal(call.args.linear.packed[1], &b);
    assert_null(call.args.linear.packed[2]);
    assert_int_equal(conform_weights_of(IFN_OP_LINEAR, &call, weights), 2);
    assert_ptr_equal(weights[1], &w);
    assert_int_equal(conform_weights_of(IFN_OP_ADD, &call, weights), 0);
    call = (conform_call){.args.gather_rows = {.table = &w}};
    conform_set_packed(IFN_OP_GATHER_ROWS, &call, packed);
    assert_ptr_equal(call.args.gather_rows.packed, &a);
    assert_int_equal(conform_weights_of(IFN_OP_GATHER_ROWS, &call, weights), 1);
}

TEST(uses_are_those_of_ops_with_weights)
{
    assert_int_equal(conform_use_of(IFN_OP_LINEAR), IFN_USE_LINEAR);
    assert_int_equal(conform_use_of(IFN_OP_LINEAR_Q8), IFN_USE_LINEAR_Q8);
    assert_int_equal(conform_use_of(IFN_OP_GATHER_ROWS), IFN_USE_GATHER_ROWS);
    assert_int_equal(conform_use_of(IFN_OP_MATMUL), 0);
}

TEST(limits_cover_the_call)
{
    conform_layout l = {0};
    conform_add_f32(&l, "x", ROLE_IN, 7, 100);
    conform_add_f32(&l, "out", ROLE_OUT, 7, 30);
    const conform_call call = {
        .args.attention = {
            .rows = 9, .max_pos = 50, .n_heads = 8, .n_kv_heads = 2, .head_dim = 64}};
    ifn_limits m = conform_call_limits(IFN_OP_RMS_NORM, &call, &l);
    assert_true(m.rows >= 7 && m.k >= 100 && m.n >= 30);
    m = conform_call_limits(IFN_OP_ATTENTION, &call, &l);
    assert_true(m.rows >= 9 && m.max_pos >= 9 && m.n_heads >= 8 && m.head_dim >= 64);
}

/* A cache has room for all sequences; a backend may have scratch for the positions of one. */
TEST(limits_have_the_positions_of_the_longest_sequence)
{
    const conform_layout l = {0};
    const ifn_span spans[] = {{0, 30, 4}, {100, 70, 2}, {300, 1, 1}};
    const conform_call one = {
        .args.attention = {
            .rows = 3, .first_pos = 40, .max_pos = 1000, .n_heads = 1, .n_kv_heads = 1}};
    const conform_call several = {
        .args.attention = {.rows = 7, .max_pos = 1000, .n_heads = 1, .spans = spans, .n_spans = 3}};
    const conform_call stored = {
        .args.kv_store = {.rows = 7, .max_pos = 1000, .spans = spans, .n_spans = 3}};
    assert_int_equal(conform_call_limits(IFN_OP_ATTENTION, &one, &l).max_pos, 43);
    assert_int_equal(conform_call_limits(IFN_OP_ATTENTION, &several, &l).max_pos, 72);
    assert_int_equal(conform_call_limits(IFN_OP_KV_STORE, &stored, &l).max_pos, 72);
    conform_call refused = one;
    refused.args.attention.first_pos = INT64_MAX;
    assert_int_equal(conform_call_limits(IFN_OP_ATTENTION, &refused, &l).max_pos, 1000);
}

/* A backend may size its scratch memory by rows * k, or by a row of scores for each row: other extents of the
 * tensors do not count. */
TEST(limits_of_products_are_no_larger_than_the_call)
{
    conform_layout l = {0};
    conform_add_f32(&l, "x", ROLE_IN, 7, 100);
    conform_add_f32(&l, "w_0", ROLE_IN, 262144, 100);
    conform_add_f32(&l, "out_0", ROLE_OUT, 7, 262144);
    const conform_call linear = {.args.linear = {.rows = 7, .k = 100}},
                       attention = {
                           .args.attention = {.rows = 2, .first_pos = 170831, .max_pos = 170900}};
    ifn_limits m = conform_call_limits(IFN_OP_LINEAR, &linear, &l);
    assert_true(m.rows == 7 && m.k == 100 && m.n >= 262144);
    m = conform_call_limits(IFN_OP_ATTENTION, &attention, &l);
    assert_true(m.rows == 2 && m.max_pos == 170833);
}

TEST(rows_of_the_second_factor_are_no_activations)
{
    conform_layout l = {0};
    conform_add_f32(&l, "a", ROLE_IN, 1, 49151);
    conform_add_f32(&l, "b", ROLE_IN, 49151, 2);
    conform_add_f32(&l, "out", ROLE_OUT, 1, 2);
    const conform_call call = {.args.matmul = {.m = 1, .n = 49151, .p = 2}};
    assert_int_equal(conform_call_limits(IFN_OP_MATMUL, &call, &l).rows, 1);
}

TEST(rows_of_a_table_or_cache_are_no_activations)
{
    conform_layout l = {0};
    conform_add_f32(&l, "table", ROLE_IN, 262144, 100);
    conform_add_f32(&l, "out", ROLE_OUT, 7, 100);
    const conform_call gather = {.args.gather_rows = {.n = 7}},
                       store = {.args.kv_store = {.rows = 2,
                                                  .first_pos = 20,
                                                  .max_pos = 262144,
                                                  .n_kv_heads = 2,
                                                  .head_dim = 50}};
    ifn_limits m = conform_call_limits(IFN_OP_GATHER_ROWS, &gather, &l);
    assert_true(m.rows == 7 && m.k == 100);
    m = conform_call_limits(IFN_OP_KV_STORE, &store, &l);
    assert_true(m.rows == 2 && m.max_pos == 22 && m.n_kv_heads == 2 && m.head_dim == 50);
}

/* A law transposes a weight of 114688 rows: a backend that sizes its scratch memory by rows * k needs no more than
 * the weight has. */
TEST(limits_of_a_transpose_are_no_larger_than_what_is_transposed)
{
    const ifn_transpose_2d_args args[] = {{.rows = 114688, .cols = 3}, {.rows = 3, .cols = 114688}};
    for (int i = 0; i < 2; i++) {
        const ifn_limits m = conform_args_limits(IFN_OP_TRANSPOSE_2D, &args[i].call);
        assert_true(m.rows == 3 && m.k == 114688 && m.n <= 114689);
    }
}

TEST(limits_know_the_heads_of_whoever_has_heads)
{
    const conform_layout l = {0};
    const conform_call rope = {.args.apply_rope = {.rows = 3, .n_heads = 8, .head_dim = 64}},
                       one = {.args.apply_rope_single_row = {.n_heads = 8, .head_dim = 64}};
    ifn_limits m = conform_call_limits(IFN_OP_APPLY_ROPE, &rope, &l);
    assert_true(m.n_heads == 8 && m.head_dim == 64);
    m = conform_call_limits(IFN_OP_APPLY_ROPE_SINGLE_ROW, &one, &l);
    assert_true(m.n_heads == 8 && m.head_dim == 64);
}
