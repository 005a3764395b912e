#include "selection.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "test.h"

static conform_options options_for(const char *spec)
{
    return (conform_options){.spec = spec, .filter = {.profile = PROFILE_SMOKE, .seed = 1}};
}

static int64_t count(const conform_selection *s, ifn_op op)
{
    conform_plan plan;
    ifn_error err = {0};
    assert_ok(conform_selection_plan(s, op, &plan, &err), err);
    const int64_t n = plan.n;
    conform_plan_close(&plan);
    return n;
}

TEST(a_folder_gives_every_op_that_is_wanted)
{
    conform_options o = options_for(source_path("spec"));
    conform_selection s;
    ifn_error err = {0};
    assert_ok(conform_selection_open(&s, &o, &err), err);
    assert_true(count(&s, IFN_OP_ADD) > 200 && count(&s, IFN_OP_MATMUL) > 200);
    o.ops[o.n_ops++] = IFN_OP_ADD;
    assert_true(count(&s, IFN_OP_ADD) > 200);
    assert_int_equal(count(&s, IFN_OP_MATMUL), 0);
    conform_selection_close(&s);
}

/* --dtype is about the weights where an op has several dtypes of them, else about the output; an op without any is
 * named. */
TEST(a_dtype_selects_what_differs_in_it)
{
    conform_options o = options_for(source_path("spec"));
    conform_selection s;
    conform_plan plan;
    ifn_error err = {0};
    o.filter.dtypes[o.filter.n_dtypes++] = IFN_DTYPE_Q8_32F;
    assert_ok(conform_selection_open(&s, &o, &err), err);
    assert_int_equal(count(&s, IFN_OP_ADD), 0);
    assert_ok(conform_selection_plan(&s, IFN_OP_RMS_NORM, &plan, &err), err);
    assert_true(plan.n > 100);
    for (int64_t i = 0; i < plan.n; i++)
        assert_int_equal(plan.cases[i].out_dtype, IFN_DTYPE_Q8_32F);
    conform_plan_close(&plan);
    conform_selection_close(&s);
    o.filter.dtypes[0] = IFN_DTYPE_Q4_K;
    o.ops[o.n_ops++] = IFN_OP_RMS_NORM;
    assert_int_equal(conform_selection_open(&s, &o, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text,
                        "--dtype: found Q4_K, expected a dtype that weights, cache, table "
                        "or output of rms_norm can have");
    conform_selection_close(&s);
}

TEST(shapes_leave_the_ops_that_have_them)
{
    conform_options o = options_for(NULL);
    conform_selection s;
    ifn_error err = {0};
    o.filter.n_cases = 10;
    o.n_shape = 1;
    memcpy(o.shape[0].name, "p", 2);
    o.shape[0].size = 5;
    assert_ok(conform_selection_open(&s, &o, &err), err);
    assert_int_equal(count(&s, IFN_OP_MATMUL), 10);
    assert_int_equal(count(&s, IFN_OP_ADD), 0);
    conform_selection_close(&s);
}

TEST(the_spec_of_one_op_is_run_alone)
{
    const conform_options o = options_for(source_path("spec/ops/silu.yaml"));
    conform_selection s;
    ifn_error err = {0};
    assert_ok(conform_selection_open(&s, &o, &err), err);
    assert_true(count(&s, IFN_OP_SILU) > 200);
    assert_int_equal(count(&s, IFN_OP_MATMUL), 0);
    conform_selection_close(&s);
}

/* Other files of the folder are not opened: this folder has only one. */
TEST(only_the_spec_of_an_op_that_is_wanted_is_read)
{
    conform_options o = options_for(temp_path(""));
    conform_selection s;
    ifn_error err = {0};
    assert_int_equal(mkdir(temp_path("ops"), 0777), 0);
    assert_int_equal(symlink(source_path("spec/ops/silu.yaml"), temp_path("ops/silu.yaml")), 0);
    assert_int_equal(conform_selection_open(&s, &o, &err), IFN_ERR_IO);
    conform_selection_close(&s);
    o.ops[o.n_ops++] = IFN_OP_SILU;
    assert_ok(conform_selection_open(&s, &o, &err), err);
    assert_true(count(&s, IFN_OP_SILU) > 200);
    conform_selection_close(&s);
    o.n_ops = 0;
    o.id = "silu/F32/n=2/T1/normal/raw/0/1";
    assert_ok(conform_selection_open(&s, &o, &err), err);
    assert_non_null(s.specs[IFN_OP_SILU]);
    conform_selection_close(&s);
    o.id = "add/F32/n=2/T1/normal/raw/0/1";
    assert_int_equal(conform_selection_open(&s, &o, &err), IFN_ERR_IO);
    conform_selection_close(&s);
    temp_clean();
}

TEST(a_file_of_cases_is_run_as_it_is)
{
    static const char text[] =
        "inferno: cases/1\ncases:\n"
        "  - {case: add/F32/n=2/GO/written/raw/0/1, name: x, x: [1, 2], y: [3, 4]}\n"
        "  - {case: silu/F32/n=2/T1/normal/raw/0/1, name: y}\n"
        "  - {case: add/F32/n=1/GO/written/raw/0/1, name: z, x: [1], y: [3]}\n";
    const char *path = temp_path("cases.yaml");
    conform_options o = options_for(path);
    conform_selection s;
    ifn_error err = {0};
    write_file(path, text, sizeof text - 1);
    assert_ok(conform_selection_open(&s, &o, &err), err);
    assert_int_equal(count(&s, IFN_OP_ADD), 2);
    assert_int_equal(count(&s, IFN_OP_SILU), 1);
    assert_int_equal(count(&s, IFN_OP_MATMUL), 0);
    conform_selection_close(&s);
    o.filter.n_cases = 3;
    assert_int_equal(conform_selection_open(&s, &o, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "is a file of cases, expected --op or --case beside it"));
    conform_selection_close(&s);
    temp_clean();
}

TEST(case_takes_a_file_of_cases_too)
{
    static const char text[] = "inferno: cases/1\ncases:\n"
                               "  - {case: silu/F32/n=2/T1/normal/raw/0/1, name: y}\n";
    const char *path = temp_path("cases.yaml"), *other = temp_path("spec.yaml");
    conform_options o = options_for(NULL);
    conform_selection s;
    ifn_error err = {0};
    write_file(path, text, sizeof text - 1);
    write_file(other, "inferno: op/1\n", 14);
    o.spec = source_path("spec");
    o.id = path;
    assert_ok(conform_selection_open(&s, &o, &err), err);
    assert_int_equal(s.is_case_a_file, 1);
    assert_int_equal(count(&s, IFN_OP_SILU), 1);
    assert_int_equal(count(&s, IFN_OP_ADD), 0);
    conform_selection_close(&s);
    o.spec = other;
    assert_int_equal(conform_selection_open(&s, &o, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "beside a file of --case, expected one file"));
    conform_selection_close(&s);
    o.spec = source_path("spec");
    o.id = other;
    assert_int_equal(conform_selection_open(&s, &o, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, "expected one of cases, or the id of one"));
    conform_selection_close(&s);
    temp_clean();
}

TEST(what_is_neither_is_refused)
{
    const char *path = temp_path("x.yaml");
    conform_options o = options_for(path);
    conform_selection s;
    ifn_error err = {0};
    assert_int_equal(conform_selection_open(&s, &o, &err), IFN_ERR_IO);
    conform_selection_close(&s);
    write_file(path, "inferno: op/2\n", 14);
    assert_int_equal(conform_selection_open(&s, &o, &err), IFN_ERR_FORMAT);
    assert_non_null(strstr(err.text, "x.yaml:1:10: 'op/2', expected op/1"));
    conform_selection_close(&s);
    temp_clean();
}
