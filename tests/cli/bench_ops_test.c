#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/ops.h>

#include "paths.h"
#include "program.h"
#include "test.h"

static double number(const json *object, const char *key)
{
    const json *const value = json_get(object, key);
    assert_that(value->type == JSON_NUMBER, "%s is no number", key);
    return value->number;
}

static bool is_null(const json *object, const char *key)
{
    return json_get(object, key)->type == JSON_NULL;
}

static const json *results(const json *document)
{
    assert_string_equal(json_get(document, "inferno")->string, "bench-ops/1");
    assert_true(strlen(json_get(json_get(document, "facts"), "commit")->string) > 0);
    return json_get(document, "results");
}

static bool is_near(double value, double expected)
{
    return value > 0.999 * expected && value < 1.001 * expected;
}

TEST(a_call_has_times_a_cost_and_a_ceiling)
{
    json *const d = assert_json("inferno", "bench", "--op", "rms_norm", "--shape",
                                "rows=2,dim=64,residual=0,eps=5", "--backend", "scalar", "--json");
    const json *const list = results(d), *const r = &list->items[0];
    assert_int_equal(list->n, 1);
    assert_string_equal(json_get(r, "op")->string, "rms_norm");
    assert_string_equal(json_get(r, "sizes")->string, "rows=2,dim=64,eps=5");
    assert_string_equal(json_get(r, "backend")->string, "scalar");
    assert_string_equal(json_get(r, "by")->string, "scalar");
    assert_string_equal(json_get(r, "clock")->string, "processor");
    const double ns = number(r, "ns_per_call");
    assert_true(0 < number(r, "ns_low") && number(r, "ns_low") <= ns);
    assert_true(ns <= number(r, "ns_high"));
    /* x, weight and out, each once; four operations for an element, and four more for a row */
    assert_true(number(r, "bytes") == 4 * (128 + 64 + 128));
    assert_true(number(r, "flops") == 2 * (4 * 64 + 4));
    assert_true(number(r, "elements") == 128);
    assert_true(is_near(number(r, "ns_per_element"), ns / 128));
    assert_true(is_near(number(r, "bytes_per_second"), 1e9 * number(r, "bytes") / ns));
    assert_true(is_near(number(r, "flops_per_second"), 1e9 * number(r, "flops") / ns));
    assert_true(number(r, "ceiling_per_second") > 0);
    assert_true(is_null(r, "ceiling_share") || number(r, "ceiling_share") <= 1);
    assert_true(number(r, "scalar_ns") > 0);
    json_free(d);
}

/* A shape with several ops on two backends: each op on each backend is a row. */
TEST(several_ops_on_several_backends_are_several_rows)
{
    json *const d = assert_json("inferno", "bench", "--op", "add,silu", "--shape", "n=100",
                                "--backend", "scalar", "--backend", "check:scalar", "--json");
    const json *const list = results(d);
    static const char *const expected[][2] = {
        {"add", "scalar"}, {"silu", "scalar"}, {"add", "check:scalar"}, {"silu", "check:scalar"}};
    assert_int_equal(list->n, N_OF(expected));
    for (size_t i = 0; i < list->n; i++) {
        assert_string_equal(json_get(&list->items[i], "op")->string, expected[i][0]);
        assert_string_equal(json_get(&list->items[i], "backend")->string, expected[i][1]);
    }
    json_free(d);
}

TEST(threads_are_timed_by_the_wall_clock)
{
    json *const d = assert_json("inferno", "bench", "--op", "add", "--shape", "n=64", "--backend",
                                "parallel:scalar", "-t", "2", "--json");
    const json *const r = &results(d)->items[0];
    assert_true(number(r, "threads") == 2);
    assert_string_equal(json_get(r, "clock")->string, "wall");
    json_free(d);
}

static void expect_timed_there(const char *device, const char *op, const char *shape)
{
    json *const d = assert_json("inferno", "bench", "--op", op, "--shape", shape, "--dtype", "F32",
                                "--backend", device, "--json");
    const json *const list = results(d), *const r = &list->items[0];
    assert_int_equal(list->n, 1);
    assert_true(number(r, "ns_per_call") > 0);
    assert_true(number(r, "scalar_ns") > 0);
    assert_string_equal(json_get(r, "clock")->string, "wall");
    assert_true(is_null(r, "ceiling_share"));
    json_free(d);
}

/* Operands are in the device's memory: these devices end a host that reads it. The ceiling is known only for the
 * machine's own processor. */
TEST(a_call_of_a_device_has_its_operands_there)
{
    static const struct {
        const char *device, *op, *shape;
    } calls[] = {{FENCED, "rms_norm", "rows=2,dim=64,eps=5"},
                 {FENCED, "linear", "rows=8,n=64,k=64"},
                 {FENCED, "copy_out", "bytes=64"},
                 {FENCED "=doors", "gather_rows", "n=3,table_rows=5,cols=64"},
                 {DEFERRED, "add", "n=64"}};
    for (size_t i = 0; i < N_OF(calls); i++)
        expect_timed_there(calls[i].device, calls[i].op, calls[i].shape);
}

/* If many copies of a cache take turns, the device has each of them. */
TEST(a_device_has_every_copy_of_a_cache)
{
    expect_timed_there(FENCED, "attention",
                       "rows=1,first_pos=511,n_kv_heads=8,group=2,head_dim=128");
}

/* A call that fits in a processor cache is not compared with the speed of memory. */
TEST(a_call_that_lies_in_a_cache_claims_no_share_of_memory)
{
    program p = assert_runs("inferno", "bench", "--op", "add", "--shape", "n=64", "--backend",
                            "scalar", "-o", "csv", "--quiet");
    const char *const row = strchr(p.out, '\n');
    assert_non_null(strstr(row, ",bytes,"));
    assert_null(strstr(row, ",memory,"));
    program_free(&p);
}

TEST(tables_have_heads_and_rows)
{
    program p = assert_runs("inferno", "bench", "--op", "add", "--shape", "n=64", "--backend",
                            "scalar", "--quiet");
    assert_non_null(strstr(p.out, "\ncommit: "));
    assert_non_null(strstr(p.out, "| op | dtype | sizes | backend | by | form | ns/call |"));
    assert_non_null(strstr(p.out, "\n| add | F32 | n=64 | scalar | scalar | raw | "));
    program_free(&p);
}

static const json *with_problem(const json *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (!is_null(&list->items[i], "problem"))
            return &list->items[i];
    return NULL;
}

/* The kernel of one op is wrong, on a plugin that is otherwise correct. */
TEST(a_wrong_kernel_has_a_row_and_no_speed)
{
    program p = program_run("inferno", "bench", "--op", "add,matmul", "--json", "--backend",
                            MUSEUM "=copied_accumulator:scalar");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "they have no speed"));
    json *const d = json_parse(p.out, NULL);
    const json *const r = with_problem(results(d));
    assert_non_null(r);
    assert_string_equal(json_get(r, "op")->string, "matmul");
    assert_string_equal(json_get(r, "problem")->string, "fails its conformance cases");
    json_free(d);
    program_free(&p);
}

TEST(a_roofline_is_drawn_into_a_file_and_on_a_terminal)
{
    const char *const path = temp_path("roof.svg");
    program p = assert_runs("inferno", "bench", "--op", "add", "--shape", "n=64", "--backend",
                            "scalar", "--quiet", "--chart", path);
    char *const svg = read_file(path, NULL);
    assert_non_null(strstr(svg, "<title>add F32: "));
    assert_non_null(strstr(svg, "memory: "));
    free(svg);
    program_free(&p);
    p = assert_runs("inferno", "bench", "--op", "add", "--shape", "n=64", "--backend", "scalar",
                    "--quiet", "--chart", "-");
    assert_non_null(strstr(p.out, "\n  a add\n"));
    program_free(&p);
}

TEST(what_cannot_be_timed_is_refused_before_anything_is)
{
    assert_refused(2, "expected --op, ops or a MODEL", "inferno", "bench");
    assert_refused(2, "--op: found 'ad', expected an op, or all", "inferno", "bench", "--op",
                   "add,ad");
    assert_refused(2, "--op: found ''", "inferno", "bench", "--op", "add,,silu");
    assert_refused(2, "--shape: found m=1", "inferno", "bench", "--op", "add,matmul", "--shape",
                   "m=1");
    assert_refused(2, "--dtype: found 'X'", "inferno", "bench", "--op", "add", "--dtype", "X");
    assert_refused(2, "nonsense", "inferno", "bench", "--op", "add", "--backend", "nonsense");
    assert_refused(2, "-t: found '0'", "inferno", "bench", "--op", "add", "-t", "0");
    assert_refused(2, "--chart -: found CSV or JSON", "inferno", "bench", "--op", "add", "--chart",
                   "-", "--json");
}
