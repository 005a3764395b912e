#include "golden_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "sha256.h"
#include "test.h"

/* CLOSE: the engines that computed the golden files agree within this. SURE: above this margin they all had to
 * choose the same id. */
#define CLOSE 1e-3
#define SURE  1e-2

golden_run golden_run_open(const char *model, const golden_way *way)
{
    return golden_run_open_on(model, way, "scalar");
}

golden_run golden_run_open_on(const char *model, const golden_way *way, const char *backend)
{
    const ifn_context_params params =
        IFN_SIZED(ifn_context_params, .graph = way->graph, .kv = way->kv, .max_pos = way->max_pos,
                  .activations = IFN_ACTIVATIONS_F32, .all_logits = 1);
    golden_run r = {.way = way};
    ifn_error err = {0};
    assert_ok(ifn_gguf_open(model, NULL, &r.gguf, &err), err);
    assert_ok(ifn_model_open(r.gguf, NULL, &r.model, &err), err);
    if (ifn_tokenizer_open(r.gguf, NULL, &r.tokenizer, NULL) != IFN_OK)
        r.tokenizer = NULL;
    assert_ok(ifn_backend_open(backend, NULL, &r.backend, &err), err);
    assert_ok(ifn_weights_open(r.model, r.backend, ifn_context_uses(r.model, &params), NULL, NULL,
                               &r.weights, &err),
              err);
    assert_ok(ifn_context_open(r.weights, &params, NULL, &r.context, &err), err);
    r.n_vocab = (size_t)ifn_model_hparams(r.model)->n_vocab;
    r.logits = malloc(r.n_vocab * sizeof *r.logits);
    assert_non_null(r.logits);
    return r;
}

static int is_here(const char *backend)
{
    ifn_backend *opened;
    ifn_error err = {0};
    const int is_level = strncmp(backend, "simd=", 5) == 0;
    if (ifn_backend_open(backend, NULL, &opened, &err) == IFN_OK)
        ifn_backend_close(opened);
    else if (is_level && strstr(err.text, "not a level of this processor"))
        return 0;
    return 1; /* the tests then fail by whatever else is wrong with it */
}

int golden_on_each(int n, char *const *backends, int (*run)(const char *backend))
{
    int n_run = 0, n_failed = 0;
    for (int i = 0; i < n; i++) {
        if (!is_here(backends[i]))
            continue;
        n_failed += run(backends[i]);
        n_run++;
    }
    return n_failed > 0 || n_run == 0;
}

void golden_run_close(golden_run *run)
{
    free(run->logits);
    ifn_context_close(run->context);
    ifn_weights_unref(run->weights);
    ifn_backend_close(run->backend);
    ifn_tokenizer_close(run->tokenizer);
    ifn_model_close(run->model);
    ifn_gguf_close(run->gguf);
}

void golden_sum(const char *model, char out[65])
{
    size_t bytes;
    char *data = read_file(model, &bytes);
    assert_that(data, "%s cannot be read", model);
    sha256_hex(data, bytes, out);
    free(data);
}

void golden_check_sum(const golden_spec *spec, const char sum[65])
{
    assert_that(strcmp(sum, spec->sha256) == 0, "%s: %s has the sum %s, expected %s", spec->path,
                spec->model, sum, spec->sha256);
}

void golden_check_prompt(const golden_run *run, const golden_spec *spec)
{
    ifn_tokens got = {0};
    ifn_error err = {0};
    if (!spec->prompt)
        return;
    assert_that(run->tokenizer, "%s: a prompt, and no tokenizer", spec->path);
    assert_ok(ifn_tokenize(run->tokenizer, spec->prompt, spec->prompt_bytes, 0, &got, &err), err);
    assert_that(got.n == spec->prompt_ids.n, "%s: %zu ids, expected %zu", spec->path, got.n,
                spec->prompt_ids.n);
    for (size_t i = 0; i < got.n; i++)
        assert_that(got.ids[i] == spec->prompt_ids.ids[i], "%s: id %zu is %d, expected %d",
                    spec->path, i, (int)got.ids[i], (int)spec->prompt_ids.ids[i]);
    ifn_tokens_free(&got);
}

static void check_logits(const golden_run *run, const golden_spec *spec, size_t i,
                         const float *logits)
{
    const golden_step *step = &spec->steps[i];
    for (int t = 0; t < step->n_top; t++) {
        const ifn_token id = step->top[t].id;
        assert_that((size_t)id < run->n_vocab, "%s: no id %d", spec->path, (int)id);
        assert_that(fabs((double)logits[id] - step->top[t].logit) <= CLOSE,
                    "%s, %s on %s: step %zu: the logit of %d is %.6f, expected %.5f", spec->path,
                    run->way->name, ifn_backend_expression(run->backend), i, (int)id,
                    (double)logits[id], step->top[t].logit);
    }
}

/* Expects `want`, unless the best two logits are so close that rounding may decide. */
static void check_choice(golden_run *run, const golden_spec *spec, size_t i, ifn_token got,
                         ifn_token want)
{
    run->n_steps++;
    if (got == want)
        return;
    assert_that(spec->steps[i].margin <= SURE, "%s, %s on %s: step %zu chooses %d, expected %d",
                spec->path, run->way->name, ifn_backend_expression(run->backend), i, (int)got,
                (int)want);
    run->n_ties++;
}

static void rewind_to_start(golden_run *run)
{
    ifn_error err = {0};
    assert_ok(ifn_context_rewind(run->context, 0, &err), err);
}

/* Returns the number of rows that the model computes before step i is decided. */
static int64_t rows_of_step(const golden_run *run, const golden_spec *spec, size_t i)
{
    if (run->way->kv == IFN_KV_OFF || i == 0)
        return (int64_t)(spec->prompt_ids.n + i);
    return 1;
}

void golden_decode(golden_run *run, const golden_spec *spec)
{
    ifn_sampler greedy = IFN_SAMPLER_INIT;
    ifn_error err = {0};
    ifn_token id;
    int64_t spent = 0;
    rewind_to_start(run);
    assert_ok(ifn_sampler_init(&greedy, &IFN_SIZED(ifn_sampling), &err), err);
    for (size_t i = 0; i < spec->n_steps; i++) {
        const ifn_token *next = i == 0 ? spec->prompt_ids.ids : &spec->expect_ids.ids[i - 1];
        spent += rows_of_step(run, spec, i);
        if (run->way->rows_each > 0 && spent > run->way->rows_each)
            return;
        assert_ok(ifn_context_eval(run->context, next, i == 0 ? spec->prompt_ids.n : 1, &err), err);
        assert_ok(ifn_context_logits(run->context, run->logits, &err), err);
        assert_ok(ifn_context_sample(run->context, &greedy, &id, NULL, &err), err);
        check_logits(run, spec, i, run->logits);
        check_choice(run, spec, i, id, spec->expect_ids.ids[i]);
    }
}

float *golden_all_logits(golden_run *run, const golden_spec *spec, size_t *n)
{
    ifn_error err = {0};
    const size_t n_prompt = spec->prompt_ids.n, n_fed = spec->expect_ids.n - 1;
    *n = n_prompt + n_fed;
    ifn_token *ids = malloc(*n * sizeof *ids);
    float *logits = malloc(*n * run->n_vocab * sizeof *logits);
    assert_true(ids && logits);
    memcpy(ids, spec->prompt_ids.ids, n_prompt * sizeof *ids);
    memcpy(ids + n_prompt, spec->expect_ids.ids, n_fed * sizeof *ids);
    rewind_to_start(run);
    assert_ok(ifn_context_eval_all(run->context, ids, *n, logits, &err), err);
    free(ids);
    return logits;
}

static ifn_token best_of(const float *logits, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (logits[i] > logits[best])
            best = i;
    return (ifn_token)best;
}

void golden_prefill(golden_run *run, const golden_spec *spec)
{
    size_t n;
    float *all = golden_all_logits(run, spec, &n);
    for (size_t i = 0; i < spec->n_steps; i++) {
        const float *logits = all + (spec->prompt_ids.n - 1 + i) * run->n_vocab;
        check_logits(run, spec, i, logits);
        check_choice(run, spec, i, best_of(logits, run->n_vocab),
                     spec->steps[i].n_top ? spec->steps[i].top[0].id : spec->expect_ids.ids[i]);
    }
    free(all);
}
