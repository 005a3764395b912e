#include "plugin.h"

#include <fenv.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fail_alloc.h"
#include "paths.h"
#include "test.h"

#define PLUGIN(name) PLUGIN_DIR "/" name ".so"

static ifn_backend *open_chain(const char *expression)
{
    ifn_backend *b;
    ifn_error err = {0};
    assert_ok(ifn_backend_open(expression, NULL, &b, &err), err);
    return b;
}

static void assert_refused(const char *expression, ifn_status status, const char *why)
{
    ifn_backend *b;
    ifn_error err = {0};
    assert_int_equal(ifn_backend_open(expression, NULL, &b, &err), status);
    assert_null(b);
    assert_that(strstr(err.text, why), "'%s' lacks '%s'", err.text, why);
}

TEST(a_plugin_inherits_what_it_lacks)
{
    ifn_backend *b = open_chain(PLUGIN("one_op"));
    assert_string_equal(ifn_backend_expression(b), PLUGIN("one_op"));
    assert_string_equal(b->desc->name, "mine");
    assert_true(ifn_backend_implements(b, IFN_OP_ADD));
    assert_false(ifn_backend_implements(b, IFN_OP_MATMUL));
    assert_string_equal(ifn_backend_implementer(b, IFN_OP_MATMUL)->desc->name, "scalar");

    const float x[3] = {1, 2, 3}, y[3] = {10, 20, 30};
    float sum[3], product[3];
    const ifn_add_args add = IFN_ARGS(add, .out = sum, .x = x, .y = y, .n = 3);
    const ifn_hadamard_args times = IFN_ARGS(hadamard, .out = product, .x = x, .y = y, .n = 3);
    assert_int_equal(ifn_add(b, &add), IFN_OK);
    assert_int_equal(ifn_hadamard(b, &times), IFN_OK);
    assert_true(sum[2] == 33.0f && product[2] == 90.0f);
    ifn_backend_close(b);
}

TEST(its_expression_opens_it_again)
{
    ifn_backend *b = open_chain(PLUGIN("one_op") "=some options:scalar");
    assert_string_equal(ifn_backend_expression(b), PLUGIN("one_op") "=some options:scalar");
    ifn_backend *again = open_chain(ifn_backend_expression(b));
    ifn_backend_close(b);
    const float x[1] = {1};
    float out[1];
    const ifn_add_args add = IFN_ARGS(add, .out = out, .x = x, .y = x, .n = 1);
    assert_int_equal(ifn_add(again, &add), IFN_OK); /* the object is still loaded for this one */
    ifn_backend_close(again);
}

TEST(a_bare_file_name_means_this_folder)
{
    char before[1024];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(PLUGIN_DIR), 0);
    ifn_backend *b = open_chain("one_op.so");
    ifn_backend_close(b);
    assert_int_equal(chdir(before), 0);
    assert_refused("one_op.so", IFN_ERR_IO, "cannot be loaded");
}

TEST(what_cannot_be_loaded_is_refused)
{
    assert_refused("/nowhere/x.so", IFN_ERR_IO, "/nowhere/x.so");
    const char *path = temp_path("text.so");
    write_file(path, "not a shared object", 19);
    assert_refused(path, IFN_ERR_IO, "cannot be loaded");
}

TEST(what_is_no_plugin_is_refused_with_the_reason)
{
    assert_refused(PLUGIN("no_entry"), IFN_ERR_UNSUPPORTED, "no symbol ifn_backend_entry");
    assert_refused(PLUGIN("null_entry"), IFN_ERR_UNSUPPORTED, "no descriptor");
    assert_refused(PLUGIN("other_abi"), IFN_ERR_UNSUPPORTED, "built for ABI 8, this library has 2");
    assert_refused(PLUGIN("newer_minor"), IFN_ERR_UNSUPPORTED, "needs a newer host");
}

TEST(a_changed_environment_is_refused_and_undone)
{
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_refused(PLUGIN("rounds_up"), IFN_ERR_UNSUPPORTED, "floating-point environment");
    assert_int_equal(fegetround(), FE_TONEAREST);
}

TEST(a_name_is_no_proof_of_being_the_reference)
{
    ifn_backend *b = open_chain(PLUGIN("named_scalar"));
    assert_non_null(b->base);
    assert_false(ifn_backend_implements(b, IFN_OP_ADD));
    ifn_backend_close(b);
    assert_refused(PLUGIN("one_op") ":nothing", IFN_ERR_ARGUMENT, "unknown");
}

TEST(every_failed_allocation_closes_the_plugin)
{
    for (long n = 0;; n++) {
        fail_alloc failing;
        ifn_backend *b;
        ifn_error err = {0};
        fail_alloc_init(&failing, n);
        const ifn_backend_options options =
            IFN_SIZED(ifn_backend_options, .alloc = &failing.allocator);
        const ifn_status status = ifn_backend_open(PLUGIN("one_op"), &options, &b, &err);
        ifn_backend_close(b);
        assert_int_equal(failing.live_blocks, 0);
        if (status == IFN_OK)
            break;
        assert_int_equal(status, IFN_ERR_NOMEM);
    }
}

TEST(paths_are_told_from_names)
{
    assert_true(ifn_plugin_is_path("./mine"));
    assert_true(ifn_plugin_is_path("mine.so"));
    assert_false(ifn_plugin_is_path("so"));
    assert_false(ifn_plugin_is_path("simd"));
    ifn_plugin_close(NULL);
}

/* Its thread wakes up many times after the backend is closed: its code must still be there. */
TEST(a_thread_of_a_plugin_outlives_it)
{
    const struct timespec a_while = {.tv_nsec = 50000000};
    ifn_backend *b = open_chain(PLUGIN("lingering"));
    ifn_backend_close(b);
    nanosleep(&a_while, NULL);
}
