#include "work.h"

#include "legal_calls.h"
#include "test.h"

TEST(every_legal_call_that_may_be_cut_has_some_work)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_args args = legal_call((ifn_op)op);
        assert_that(ifn_parallel_work((ifn_op)op, &args.call) > 0.0, "%s", ifn_op_name((ifn_op)op));
    }
}

TEST(work_grows_with_the_sizes)
{
    const ifn_add_args add = IFN_ARGS(add, .n = 1000);
    const ifn_silu_args silu = IFN_ARGS(silu, .n = 1000);
    const ifn_matmul_args small = IFN_ARGS(matmul, .m = 1, .n = 64, .p = 64);
    const ifn_matmul_args large = IFN_ARGS(matmul, .m = 8, .n = 64, .p = 64);
    assert_true(ifn_parallel_work(IFN_OP_ADD, &add.call) == 125.0);
    assert_true(ifn_parallel_work(IFN_OP_SILU, &silu.call) == 1000.0);
    /* seven rows that find b near take a quarter of the first each */
    assert_true(ifn_parallel_work(IFN_OP_MATMUL, &large.call) ==
                2.75 * ifn_parallel_work(IFN_OP_MATMUL, &small.call));
}

#define NONE(NAME, name, ...)                                                                      \
    do {                                                                                           \
        const ifn_##name##_args a = IFN_ARGS(name, __VA_ARGS__);                                   \
        assert_true(ifn_parallel_work(IFN_OP_##NAME, &a.call) == 0.0);                             \
    } while (0)

/* The work of an illegal size is 0, and computing it must not overflow. */
TEST(what_is_empty_or_absurd_has_none)
{
    static const ifn_tensor negative = {.n_dims = 2, .shape = {-1, 32}};
    static const ifn_tensor endless = {.n_dims = 2, .shape = {INT64_MAX, 32}};
    NONE(ADD, add, .n = 0);
    NONE(ADD, add, .n = -1);
    NONE(ADD, add, .n = INT64_MAX);
    NONE(MATMUL, matmul, .m = 5, .n = 0, .p = 5);
    NONE(RESHAPE_DATA, reshape_data, .rows = INT64_MAX, .cols = INT64_MAX);
    NONE(CONCAT_DIM0, concat_dim0, .a_rows = INT64_MAX, .b_rows = INT64_MAX, .cols = 1);
    NONE(GATHER_ROWS, gather_rows, .n = 1000, .table = NULL);
    NONE(LINEAR, linear, .rows = 4, .k = 32, .n_w = 0);
    NONE(LINEAR, linear, .rows = 4, .k = 32, .n_w = IFN_LINEAR_MAX + 1);
    NONE(LINEAR, linear, .rows = 4, .k = 32, .n_w = -1);
    NONE(LINEAR, linear, .rows = 4, .k = 32, .n_w = 2, .w = {&negative, &negative});
    NONE(LINEAR, linear, .rows = 4, .k = 32, .n_w = 2, .w = {&endless, &endless});
    NONE(LINEAR_Q8, linear_q8, .rows = 4, .k = 32, .n_w = 1);
    NONE(ATTENTION, attention, .rows = 2, .first_pos = INT64_MAX, .max_pos = INT64_MAX,
         .n_heads = 2, .n_kv_heads = 2, .head_dim = 8);
    NONE(ATTENTION, attention, .rows = 2, .first_pos = -1, .max_pos = 8, .n_heads = 2,
         .n_kv_heads = 2, .head_dim = 8);
}
