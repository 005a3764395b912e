#include "bench_sizes.h"

#include <string.h>

#include "case_call.h"
#include "module.h"
#include "test.h"

/* For every op the sizes of a model give calls that have tensors. */
TEST(every_op_has_calls)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const conform_module *const usual = conform_module_of((ifn_op)op);
        conform_case c = {.op = (ifn_op)op, .tier = TIER_T1, .family = FAMILY_NORMAL};
        ifn_error err = {0};
        assert_that(usual->model_sizes, "%s has no sizes", ifn_op_name((ifn_op)op));
        for (const char *dtype = usual->model_dtypes ? usual->model_dtypes : "F32"; *dtype;) {
            assert_ok(bench_dtypes_next(&dtype, (ifn_op)op, &c, &err), err);
            for (const char *at = usual->model_sizes; *at;) {
                conform_layout l = {0};
                assert_ok(bench_sizes_next(&at, (ifn_op)op, &c, &err), err);
                assert_int_equal(conform_case_layout(&c, &l), IFN_OK);
                assert_true(l.n > 0);
            }
        }
    }
}

TEST(sizes_are_read_by_name_one_call_after_the_other)
{
    const char *text = "m=2,p=4;n=3";
    conform_case c = {.op = IFN_OP_MATMUL, .dim = {9, 9, 9, 9}};
    ifn_error err = {0};
    assert_ok(bench_sizes_next(&text, IFN_OP_MATMUL, &c, &err), err);
    assert_true(c.dim[0] == 2 && c.dim[1] == 1024 && c.dim[2] == 4 && c.dim[3] == 0);
    assert_string_equal(text, "n=3");
    assert_ok(bench_sizes_next(&text, IFN_OP_MATMUL, &c, &err), err);
    assert_true(c.dim[0] == 1 && c.dim[1] == 3 && c.dim[2] == 3072); /* the sizes of a model */
    assert_string_equal(text, "");
    text = "rows=5";
    assert_ok(bench_sizes_next(&text, IFN_OP_LINEAR, &c, &err), err);
    assert_true(c.dim[0] == 5 && c.dim[1] == 3072 && c.dim[2] == 1024 && c.dim[3] == 1);
}

TEST(what_is_no_size_is_refused_with_the_names_there_are)
{
    static const char *const wrong[] = {"q=1", "m", "m=", "m=1,", "=1", "m=1;;", "m=x"};
    for (size_t i = 0; i < N_OF(wrong); i++) {
        const char *text = wrong[i];
        conform_case c = {.op = IFN_OP_MATMUL};
        ifn_error err = {0};
        ifn_status status = bench_sizes_next(&text, IFN_OP_MATMUL, &c, &err);
        if (status == IFN_OK) /* the op's second call */
            status = bench_sizes_next(&text, IFN_OP_MATMUL, &c, &err);
        assert_that(status == IFN_ERR_ARGUMENT, "%s", wrong[i]);
        assert_that(strncmp(err.text, "--shape: found ", 15) == 0, "%s", err.text);
    }
    const char *text = "dim=1";
    conform_case c = {.op = IFN_OP_MATMUL};
    ifn_error err = {0};
    (void)bench_sizes_next(&text, IFN_OP_MATMUL, &c, &err);
    assert_non_null(strstr(err.text, "of matmul: m, n, p"));
}

TEST(dtypes_are_of_weights_or_of_what_is_written)
{
    const char *text = "Q8_0,F16";
    conform_case c = {.op = IFN_OP_LINEAR};
    ifn_error err = {0};
    assert_ok(bench_dtypes_next(&text, IFN_OP_LINEAR, &c, &err), err);
    assert_int_equal(c.dtype, IFN_DTYPE_Q8_0);
    assert_ok(bench_dtypes_next(&text, IFN_OP_QUANTIZE_ROWS, &c, &err), err);
    assert_int_equal(c.out_dtype, IFN_DTYPE_F16);
    assert_string_equal(text, "");
    text = "Q9";
    assert_int_equal(bench_dtypes_next(&text, IFN_OP_LINEAR, &c, &err), IFN_ERR_ARGUMENT);
}
