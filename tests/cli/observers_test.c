/* `trace` and `check` as users of the programs see them. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "paths.h"
#include "program.h"
#include "rewrite.h"
#include "test.h"
#include "this_machine.h"

static json *read_json(const char *path)
{
    const char *end;
    char *const text = read_file(path, NULL);
    assert_non_null(text);
    json *const document = json_parse(text, &end);
    assert_int_equal(*end, '\0');
    free(text);
    return document;
}

/* Returns how many complete events a category has, or how many of this name if `name` is not NULL. */
static int count(const json *trace, const char *category, const char *name)
{
    int n = 0;
    const json *const events = json_get(trace, "traceEvents");
    for (size_t i = 0; i < events->n; i++) {
        const json *const e = &events->items[i], *const its = json_get(e, "cat");
        if (!its || strcmp(its->string, category) != 0 ||
            (name && strcmp(json_get(e, "name")->string, name) != 0))
            continue;
        n++;
    }
    return n;
}

/* Returns the share of a forward's time that its ops take. */
static double share_of_ops(const json *trace, const json *forward)
{
    const double begin = json_get(forward, "ts")->number, all = json_get(forward, "dur")->number;
    double us = 0;
    const json *const events = json_get(trace, "traceEvents");
    for (size_t i = 0; i < events->n; i++) {
        const json *const e = &events->items[i], *const its = json_get(e, "cat");
        if (!its || strcmp(its->string, "op") != 0)
            continue;
        const double at = json_get(e, "ts")->number;
        if (at >= begin && at < begin + all)
            us += json_get(e, "dur")->number;
    }
    return us / all;
}

/* Returns how many forwards spend 0.98 or more of their time in ops; asserts that the ops of none take more than all
 * of it. */
static int forwards_of_ops_alone(const json *trace)
{
    const json *const events = json_get(trace, "traceEvents");
    int n = 0;
    for (size_t i = 0; i < events->n; i++) {
        const json *const its = json_get(&events->items[i], "cat");
        if (!its || strcmp(its->string, "span") != 0)
            continue;
        const double share = share_of_ops(trace, &events->items[i]);
        assert_that(share <= 1, "ops take %.4f of a forward", share);
        n += share >= 0.98;
    }
    return n;
}

/* 32 tokens of the shipped model: as many calls of each op as the graph has, and hardly any time outside them.
 * Another process may take the processor between two ops of some forwards, but not of half of them. */
TEST(a_trace_has_every_call_once_and_adds_up_to_the_forwards)
{
    const char *path = temp_path("story.json");
    program p = assert_runs("inferno", "generate", "-p", "Once upon a time", "-n", "32",
                            "--ignore-eos", "--backend", "scalar", "--trace", path, "--quiet");
    program_free(&p);
    json *const trace = read_json(path);
    const json *const model = json_get(trace, "otherData");
    assert_int_equal(json_int(json_get(model, "dropped")), 0);
    assert_int_equal(count(trace, "span", "prefill"), 1);
    assert_int_equal(count(trace, "span", "decode"), 31);
    assert_int_equal(count(trace, "op", "gather_rows"), 32);
    const int n_layers = count(trace, "op", "attention") / 32;
    assert_in_range(n_layers, 1, 100);
    assert_int_equal(count(trace, "op", "attention"), 32 * n_layers);
    assert_int_equal(count(trace, "op", "kv_store"), 32 * n_layers);
    assert_int_equal(count(trace, "op", "swiglu"), 32 * n_layers);
    /* q k v, output, gate up and down of each layer; and the logits */
    assert_int_equal(count(trace, "op", "linear"), 32 * (4 * n_layers + 1));
    /* before both sublayers, for the heads of q and k; and the last one */
    assert_int_equal(count(trace, "op", "rms_norm"), 32 * (4 * n_layers + 1));
    const int n_alone = forwards_of_ops_alone(trace);
    assert_that(n_alone >= 16, "%d of 32 forwards spend 0.98 of their time in ops", n_alone);
    json_free(trace);
}

/* Returns the line of `text` that begins with `begin`. */
static const char *line_of(const char *text, const char *begin)
{
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at, begin, strlen(begin)) == 0)
            return at;
    fail_msg("no line '%s' in:\n%s", begin, text);
    return NULL;
}

/* A rate is printed to 0.01, its ceiling to 0.1, and the per cent to 1: expects no larger difference than these
 * roundings explain. */
static void expect_per_cent(double per_cent, double rate, double ceiling)
{
    const double told = 100.0 * rate / ceiling;
    const double most = 100.0 * (rate + 0.005) / (ceiling - 0.05) + 0.5;
    assert_that(fabs(per_cent - told) <= most - told, "%.0f per cent, %.2f of %.1f", per_cent, rate,
                ceiling);
}

TEST(rates_are_told_in_per_cent_of_the_ceilings_when_asked_for)
{
    const char *const model = small_model("qwen3");
    double rate, per_cent, flops, of_peak, bandwidth, peak;
    program p = program_run("inferno", "generate", model, "-p", "ab", "-n", "3", "--ignore-eos",
                            "--backend", on_this_machine("parallel:simd"), "--ceilings");
    assert_int_equal(p.status, 0);
    assert_int_equal(sscanf(line_of(p.err, "of m: of the measured read"),
                            "of m: of the measured read bandwidth, %lf GB/s", &bandwidth),
                     1);
    assert_int_equal(sscanf(line_of(p.err, "of m: of the measured arith"),
                            "of m: of the measured arithmetic peak, %lf GFLOP/s", &peak),
                     1);
    assert_int_equal(sscanf(line_of(p.err, "all ops"),
                            "all ops %*f %*f %*f%% %*f %*f %*f %lf %lf%% %lf %lf%%", &rate,
                            &per_cent, &flops, &of_peak),
                     4);
    expect_per_cent(per_cent, rate, bandwidth);
    expect_per_cent(of_peak, flops, peak);
    program_free(&p);
    p = program_run("inferno", "generate", model, "-p", "ab", "-n", "3", "--backend",
                    on_this_machine("trace:simd"));
    assert_null(strstr(p.err, "of m"));
    program_free(&p);
}

TEST(a_file_that_ends_in_folded_has_stacks)
{
    const char *path = temp_path("story.folded");
    program p = assert_runs("inferno", "generate", small_model("qwen3"), "-p", "ab", "-n", "3",
                            "--ignore-eos", "--backend", "scalar", "--trace", path, "--quiet");
    program_free(&p);
    char *const text = read_file(path, NULL);
    int n_lines = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), n_lines++) {
        const char *const space = strrchr(line, ' ');
        assert_non_null(space);
        assert_true(strspn(space + 1, "0123456789") == strlen(space + 1));
        assert_true(strncmp(line, "prefill", 7) == 0 || strncmp(line, "decode", 6) == 0);
    }
    assert_in_range(n_lines, 10, 1000);
    free(text);
}

TEST(the_totals_follow_unless_it_is_to_be_quiet)
{
    program p = program_run("inferno", "generate", small_model("qwen3"), "-p", "ab", "-n", "3",
                            "--ignore-eos", "--backend", "trace:scalar");
    assert_int_equal(p.status, 0);
    assert_ptr_equal(strstr(p.err, "op                        calls    total ms   share"), p.err);
    assert_non_null(strstr(p.err, "\nall ops "));
    assert_non_null(strstr(p.err, "\nprefill                       1 "));
    assert_non_null(strstr(p.err, "\ndecode                        2 "));
    program_free(&p);
    p = assert_runs("inferno", "generate", small_model("qwen3"), "-p", "ab", "-n", "3",
                    "--ignore-eos", "--backend", "trace:scalar", "--quiet");
    program_free(&p);
}

/* Expects the lines of the log to have the form that inferno/trace.h promises. */
static void assert_log(const char *err, const char *backend)
{
    char head[64], span[64];
    snprintf(head, sizeof head, "-> -> [%s] [", backend);
    snprintf(span, sizeof span, "-> [%s] [", backend);
    int n_ops = 0, n_spans = 0;
    char *const text = strdup(err);
    assert_non_null(text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const int is_op = strncmp(line, head, strlen(head)) == 0;
        assert_true(is_op || strncmp(line, span, strlen(span)) == 0);
        /* the place of an op in the pass follows its time */
        const char *const end = is_op ? strrchr(line, ' ') : line + strlen(line);
        assert_true(strncmp(end - 2, "us", 2) == 0 || strncmp(end - 2, "ms", 2) == 0);
        n_ops += is_op;
        n_spans += !is_op;
    }
    assert_int_equal(n_spans, 3);
    assert_in_range(n_ops, 3 * 20, 3 * 200);
    free(text);
}

TEST(the_log_has_a_line_for_every_call)
{
    const char *const model = small_model("qwen3");
    setenv("INFERNO_LOG", "trace", 1);
    program p =
        program_run("model-generate", "--kv", "basic", "--backend", "scalar", model, "ab", "3");
    assert_int_equal(p.status, 0);
    assert_non_null(strstr(p.out, "backend: trace:scalar\n"));
    assert_log(p.err, "SCALAR");
    assert_non_null(strstr(p.err, "-> -> [SCALAR] [gather_rows] (table=[300,64], ids=[2]) "));
    assert_non_null(strstr(p.err, "us embedding\n"));
    assert_non_null(strstr(p.err, "us blk.1.q_rope\n"));
    assert_non_null(strstr(p.err, "\n-> [SCALAR] [prefill] () "));
    program_free(&p);
    /* the word may stand among others */
    setenv("INFERNO_LOG", "info,trace", 1);
    p = program_run("model-generate", "--kv", "--backend", "scalar", model, "ab", "3");
    assert_int_equal(p.status, 0);
    assert_log(p.err, "SCALAR");
    program_free(&p);
    /* an explicit tracer is the only one */
    p = program_run("model-generate", "--kv", "--backend", "trace:scalar", model, "ab", "3");
    assert_int_equal(p.status, 0);
    assert_log(p.err, "SCALAR");
    program_free(&p);
    setenv("INFERNO_LOG", "debug", 1);
    p = assert_runs("model-generate", "--kv", "--backend", "scalar", model, "ab", "3");
    program_free(&p);
    unsetenv("INFERNO_LOG");
}

TEST(tracing_changes_no_id)
{
    const char *const model = small_model("llama");
    json *a = assert_json("inferno", "generate", model, "-p", "hi", "-n", "9", "--json", "--quiet");
    json *b = assert_json("inferno", "generate", model, "-p", "hi", "-n", "9", "--json", "--quiet",
                          "--trace", temp_path("a.json"));
    json *c = assert_json("inferno", "generate", model, "-p", "hi", "-n", "9", "--json", "--quiet",
                          "--backend", "check:trace:scalar");
    const json *const ids[] = {json_get(a, "ids"), json_get(b, "ids"), json_get(c, "ids")};
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(json_int(&ids[0]->items[i]), json_int(&ids[1]->items[i]));
        assert_int_equal(json_int(&ids[0]->items[i]), json_int(&ids[2]->items[i]));
    }
    assert_ptr_equal(strstr(json_get(b, "backend")->string, "trace:"),
                     json_get(b, "backend")->string);
    json_free(a);
    json_free(b);
    json_free(c);
}

TEST(a_file_that_cannot_be_made_is_an_error)
{
    program p = program_run("inferno", "generate", small_model("llama"), "-p", "hi", "-n", "1",
                            "--trace", "/nowhere/x.json", "--quiet");
    assert_int_equal(p.status, 1);
    assert_non_null(strstr(p.err, "inferno: /nowhere/x.json"));
    program_free(&p);
}

/* Makes the last element of the second layer's norm NaN. */
static const char *poisoned(void)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s", temp_path("poisoned.gguf"));
    const rewrite how = {.poison_tensor = "blk.1.ffn_norm.weight"};
    rewrite_model(small_model("qwen3"), path, &how);
    return path;
}

TEST(check_names_the_op_that_gave_no_number)
{
    static const char finding[] = "rms_norm at blk.1.ffn_norm on scalar: out is nan at row 0, "
                                  "element 63; weight is nan at row 0, element 63 already; call ";
    program p = program_run("inferno", "generate", poisoned(), "-p", "a", "-n", "2", "--backend",
                            "check:scalar");
    assert_int_equal(p.status, 1);
    assert_ptr_equal(strstr(p.err, "inferno: position 0: logit 0 is nan; first: rms_norm"), p.err);
    assert_non_null(strstr(p.err, finding));
    assert_non_null(strstr(p.err, ", last weight blk.1.attn_output.weight\n"));
    program_free(&p);
    assert_refused(1, finding, "inferno", "generate", poisoned(), "-p", "a", "-n", "2", "--backend",
                   "check=stop:scalar");
}
