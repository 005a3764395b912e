/* Opens a backend in a child process to learn its declarations: nothing of the backend is left in this process. */
#include "e2e_opening.h"

#include <signal.h>
#include <string.h>

#include "rounded_leaf.h"
#include "test.h"

static const ifn_backend_desc rounded = {IFN_BACKEND_STAMP, .name = "rounded", .summary = "",
                                         .manifest = &manifest_of_bf16, .fill = fill_rounded};

static int n_opened; /* how often a backend was opened in this process */

/* Stands for a driver that keeps running in the process that has opened it. */
static ifn_status open_driver(const void *backend, int32_t n_threads, ifn_backend **out,
                              ifn_error *err)
{
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .n_threads = n_threads);
    n_opened++;
    if (strcmp(backend, "dies") == 0)
        raise(SIGKILL);
    if (strcmp(backend, "rounded") == 0)
        return ifn_backend_open_desc(&rounded, NULL, NULL, &options, out, err);
    return ifn_backend_open(backend, &options, out, err);
}

static ifn_status learn(const char *backend, bool in_process, e2e_opening *out, ifn_error *err)
{
    return e2e_opening_learn(out, open_driver, backend, in_process, 60, err);
}

TEST(a_backend_is_opened_in_a_process_that_ends_with_it)
{
    e2e_opening o;
    ifn_error err = {0};
    assert_int_equal(learn("parallel=1:scalar", false, &o, &err), IFN_OK);
    assert_string_equal(o.expression, "parallel=1:scalar");
    assert_false(o.is_device);
    assert_int_equal(n_opened, 0);
}

TEST(in_process_it_is_opened_here)
{
    e2e_opening o;
    ifn_error err = {0};
    assert_int_equal(learn("scalar", true, &o, &err), IFN_OK);
    assert_string_equal(o.expression, "scalar");
    assert_int_equal(n_opened, 1);
    n_opened = 0;
}

TEST(what_cannot_be_opened_is_said)
{
    e2e_opening o;
    ifn_error err = {0};
    assert_int_equal(learn("no-such", false, &o, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "no-such"));
    assert_int_equal(learn("dies", false, &o, &err), IFN_ERR_UNSUPPORTED);
    assert_string_equal(err.text, "backend 'dies': killed by signal 9, while it was opened");
}

TEST(what_it_declares_of_its_arithmetic_is_learned_and_reported)
{
    static e2e_opening o;
    const conform_arithmetics want = bf16_in_linear();
    conform_report r;
    ifn_error err = {0};
    assert_int_equal(learn("rounded", false, &o, &err), IFN_OK);
    assert_int_equal(o.declared.of[IFN_OP_LINEAR][IFN_DTYPE_F16].inputs, IFN_ROUND_BF16);
    assert_int_equal(o.declared.of[IFN_OP_MATMUL][IFN_DTYPE_F32].inputs, IFN_ROUND_NONE);
    assert_false(conform_arithmetics_are_plain(&o.declared));
    assert_false(conform_arithmetics_are_plain(&want));
    conform_report_open(&r, 1);
    e2e_opening_report(&o, &r, 0);
    assert_string_equal(r.expression[0], "rounded");
    assert_string_equal(conform_report_cell(&r, IFN_OP_LINEAR, 0)->arithmetic, "products in bf16");
    assert_string_equal(conform_report_cell(&r, IFN_OP_MATMUL, 0)->arithmetic, "");
    conform_report_close(&r);
}

TEST(who_declares_the_same_is_in_one_group)
{
    static conform_arithmetics list[4];
    list[1] = list[3] = bf16_in_linear();
    assert_int_equal(e2e_opening_group(list, 0), 0);
    assert_int_equal(e2e_opening_group(list, 1), 1);
    assert_int_equal(e2e_opening_group(list, 2), 0);
    assert_int_equal(e2e_opening_group(list, 3), 1);
}
