/*
 * A model from outside in every numeric mode and with every cache, on every backend: other engines have computed the
 * continuation of a prompt, and the backend follows it freely and under teacher forcing (numerics 11).
 *
 *   external_test FILE.yaml BACKEND...
 *
 * Without arguments it checks what holds for all such files.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2e_prompts.h"
#include "e2e_trial.h"
#include "golden_run.h"
#include "golden_set.h"
#include "paths.h"
#include "test.h"

/* Five decimals are printed, and each of two logits of a float32 oracle is accurate to 5e-6. */
#define PRINTED 1.5e-5

static const golden_way ways[] = {
    {"fused.basic", IFN_GRAPH_FUSED, IFN_KV_F32, 0, 512},
    {"primitive.basic", IFN_GRAPH_PRIMITIVE, IFN_KV_F32, 0, 512},
    {"fused.off", IFN_GRAPH_FUSED, IFN_KV_OFF, 512, 512},
    {"primitive.off", IFN_GRAPH_PRIMITIVE, IFN_KV_OFF, 512, 512},
};

static golden_spec spec;
static char model_path[1024];
static const ifn_model *model;
static e2e_truth truth; /* of the current mode */
static const char *name;

/* --- what the truth says of the facts --- */

static void assert_near(size_t step, const char *what, double got, double want)
{
    assert_that(fabs(got - want) <= PRINTED, "%s: step %zu: %s %.7f, expected %.5f", spec.path,
                step, what, got, want);
}

static void check_step(size_t i, const double *row)
{
    const golden_step *const step = &spec.steps[i];
    const size_t id = (size_t)spec.expect_ids.ids[i];
    double next = -(double)INFINITY;
    for (int t = 0; t < step->n_top; t++)
        assert_near(i, "a leading logit is", row[step->top[t].id], step->top[t].logit);
    for (size_t v = 0; v < (size_t)truth.n_vocab; v++)
        next = v == id ? next : fmax(next, row[v]);
    assert_near(i, "margin", row[id] - next, step->margin);
}

static void check_file(const golden_spec *one)
{
    static const char outside[] = "external/";
    char sum[65];
    assert_that(strncmp(one->model, outside, strlen(outside)) == 0, "%s: %s is not from outside",
                one->path, one->model);
    snprintf(model_path, sizeof model_path, "%s", external_path(one->model + strlen(outside)));
    golden_sum(model_path, sum);
    golden_check_sum(one, sum);
    golden_run run = golden_run_open(model_path, &ways[0]);
    golden_check_prompt(&run, one);
    golden_run_close(&run);
}

static void the_file_is_about_this_model(void **state)
{
    (void)state;
    check_file(&spec);
}

static void every_file_is_about_its_model(void **state)
{
    (void)state;
    golden_set set = golden_set_read("spec/generate/external");
    for (size_t i = 0; i < set.n; i++)
        check_file(&set.specs[i]);
    golden_set_free(&set);
}

/* --- backends --- */

static ifn_status open_expression(const void *backend, int32_t n_threads, ifn_backend **out,
                                  ifn_error *err)
{
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .n_threads = n_threads);
    return ifn_backend_open(backend, &options, out, err);
}

/* Tries every way of the mode: graphs, caches, forced codes, in chunks and alone. */
static void try_backend(void)
{
    const e2e_trial trial = {&truth, open_expression, name, 1, 2};
    e2e_results *const results = e2e_results_open(0, spec.model);
    assert_non_null(results);
    e2e_trial_run(&trial, results);
    for (int i = 0; i < results->n; i++) {
        const e2e_row *const row = &results->all_statistics[i].row;
        print_message("  %s on %s: %s %s, kv %s, %s: %lld runs, worst %.2f of what is allowed, KL "
                      "%.1e, %lld ties\n",
                      spec.model, name, row->graph, row->activations, row->kv, row->rule,
                      (long long)row->runs, row->worst, row->kl_max, (long long)row->ties);
        assert_that(row->failed == 0, "%s on %s: %s %s, kv %s, %s: %s", spec.path, name, row->graph,
                    row->activations, row->kv, row->rule, row->detail);
    }
    e2e_results_close(results);
}

/* Checks the printed facts only, as for the shipped model. */
static void the_facts_hold_on_this_backend(void **state)
{
    (void)state;
    for (size_t w = 0; w < N_OF(ways); w++) {
        golden_run run = golden_run_open_on(model_path, &ways[w], name);
        golden_decode(&run, &spec);
        golden_prefill(&run, &spec);
        assert_true(run.n_steps > 0);
        golden_run_close(&run);
    }
}

static int follow_facts(const char *backend)
{
    const struct CMUnitTest tests[] = {RUN(the_facts_hold_on_this_backend)};
    name = backend;
    return cmocka_run_group_tests_name(backend, tests, NULL, NULL);
}

static int follow_mode(const char *backend)
{
    name = backend;
    try_backend();
    return 0;
}

/* --- modes --- */

static int n_backends;
static char *const *backends;

/* The facts are for exact arithmetic. In other modes scalar generates the continuation, and the f64 pass with the
 * same quantizers judges it. */
static void try_mode(const conform_truth_mode *mode)
{
    const int is_exact = mode->activations == IFN_ACTIVATIONS_F32 && mode->cache == IFN_DTYPE_F32;
    const e2e_prompt prompt = {spec.path,
                               spec.prompt_ids.ids,
                               (int64_t)spec.prompt_ids.n,
                               (int64_t)spec.expect_ids.n,
                               is_exact ? spec.expect_ids.ids : NULL,
                               NULL};
    ifn_error err = {0};
    assert_ok(e2e_truth_open(&truth, model, mode, NULL, &prompt, 1, &err), err);
    for (size_t i = 0; is_exact && i < spec.n_steps; i++)
        check_step(i, truth.logits + ((int64_t)(spec.prompt_ids.n + i) - 1) * truth.n_vocab);
    if (!is_exact || truth.has_floor)
        assert_int_equal(golden_on_each(n_backends, backends, follow_mode), 0);
    e2e_truth_close(&truth);
}

static void every_mode_holds_on_every_backend(void **state)
{
    (void)state;
    conform_truth_mode modes[E2E_MAX_MODES];
    ifn_gguf *gguf;
    ifn_model *opened;
    ifn_error err = {0};
    assert_ok(ifn_gguf_open(model_path, NULL, &gguf, &err), err);
    assert_ok(ifn_model_open(gguf, NULL, &opened, &err), err);
    model = opened;
    const int n = e2e_modes_of(model, modes);
    assert_true(n > 0);
    for (int i = 0; i < n; i++)
        try_mode(&modes[i]);
    ifn_model_close(opened);
    ifn_gguf_close(gguf);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest of_all[] = {RUN(every_file_is_about_its_model)};
    const struct CMUnitTest tests[] = {
        RUN(the_file_is_about_this_model),
        RUN(every_mode_holds_on_every_backend),
    };
    ifn_error err = {0};
    if (!external_path(""))
        return TEST_NOT_RUN;
    if (argc == 1)
        return cmocka_run_group_tests(of_all, NULL, NULL);
    if (argc == 2 || golden_spec_read(argv[1], &spec, &err) != IFN_OK) {
        print_error("expected a golden file and backends; %s\n", err.text);
        return 2;
    }
    n_backends = argc - 2;
    backends = argv + 2;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL) ||
                       golden_on_each(n_backends, backends, follow_facts);
    golden_spec_free(&spec);
    return failed;
}
