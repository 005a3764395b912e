/*
 * Every golden prompt in one numeric mode and with one cache: every backend chooses the ids that scalar chooses,
 * wherever the margin excludes rounding (numerics 11.3).
 *
 *   modes_test ACTIVATIONS KV N BACKEND...    N new ids of a prompt at most; 0: all
 *
 * Without arguments: a short run of one mode.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2e_engine.h"
#include "e2e_judge.h"
#include "e2e_truth.h"
#include "golden_copies.h"
#include "golden_run.h"
#include "paths.h"
#include "test.h"

enum { MAX_PROMPTS = 128 };

/* A golden prompt, and scalar's continuation in this mode. */
typedef struct prompt {
    const golden_spec *spec;
    int64_t n, n_new;
    ifn_token *ids; /* [n + n_new]; owned */
} prompt;

static e2e_way way = {.graph = IFN_GRAPH_FUSED};
static int64_t most_new;
static char *const *backends;
static int n_backends;

static const ifn_model *model; /* the current one, and its prompts */
static prompt prompts[MAX_PROMPTS];
static int n_prompts;
static int64_t n_compared, n_ties;

static e2e_engine open_engine(const char *name, ifn_backend **backend)
{
    e2e_engine engine;
    ifn_error err = {0};
    assert_ok(ifn_backend_open(name, NULL, backend, &err), err);
    assert_ok(e2e_engine_open(&engine, model, *backend, &way, NULL, &err), err);
    return engine;
}

static float *room_for_logits(int64_t n)
{
    const int64_t n_vocab = ifn_model_hparams(model)->n_vocab;
    float *const logits = malloc((size_t)(n * n_vocab) * sizeof *logits + 1);
    assert_non_null(logits);
    return logits;
}

static void take_prompt(const golden_spec *spec)
{
    prompt *const p = &prompts[n_prompts++];
    assert_true(n_prompts <= MAX_PROMPTS);
    *p = (prompt){
        .spec = spec, .n = (int64_t)spec->prompt_ids.n, .n_new = (int64_t)spec->expect_ids.n};
    if (most_new > 0 && p->n_new > most_new)
        p->n_new = most_new;
    p->ids = malloc((size_t)(p->n + p->n_new) * sizeof *p->ids);
    assert_non_null(p->ids);
    memcpy(p->ids, spec->prompt_ids.ids, spec->prompt_ids.n * sizeof *p->ids);
}

static void let_scalar_go_on(void)
{
    ifn_backend *scalar;
    e2e_engine engine = open_engine("scalar", &scalar);
    for (int i = 0; i < n_prompts; i++) {
        prompt *const p = &prompts[i];
        float *const logits = room_for_logits(p->n_new);
        int64_t n_done;
        ifn_error err = {0};
        assert_ok(e2e_engine_generate(&engine, p->ids, p->n, p->n_new, NULL, p->ids + p->n, logits,
                                      &n_done, &err),
                  err);
        assert_int_equal(n_done, p->n_new);
        free(logits);
    }
    e2e_engine_close(&engine);
    ifn_backend_close(scalar);
}

/* Asserts that the choice after ids [0, n) is a near tie of the truth in this mode, and that the logits are near the
 * truth. */
static void assert_near_tie(const prompt *p, int64_t n, const float *logits, const char *backend)
{
    const conform_truth_mode mode = {.activations = way.activations, .cache = ifn_kv_dtype(way.kv)};
    const e2e_prompt ids = {p->spec->path, p->ids, n, 0, NULL, NULL};
    e2e_truth t;
    ifn_error err = {0};
    assert_ok(e2e_truth_open(&t, model, &mode, NULL, &ids, 1, &err), err);
    const e2e_want want = {t.logits + (n - 1) * t.n_vocab, t.n_vocab,
                           t.is_narrow ? t.sigma_q : t.sigma[n - 1], !t.is_narrow};
    const e2e_step step = e2e_judge_step(&want, logits);
    assert_that(step.check == E2E_FINE && step.margin <= 2 * E2E_SIGMAS * want.sigma,
                "%s on %s: after %lld ids it chooses %d, scalar %d, the truth %d by a margin of "
                "%.3g: %s, sigma %.3g",
                p->spec->path, backend, (long long)n, (int)step.got, (int)p->ids[n], (int)step.want,
                step.margin, e2e_check_name(step.check), want.sigma);
    e2e_truth_close(&t);
}

/* After a near tie that falls otherwise the run continues with scalar's id. */
static void follow(e2e_engine *engine, const prompt *p, const char *backend)
{
    float *const logits = room_for_logits(p->n_new);
    ifn_token *const chosen = malloc((size_t)p->n_new * sizeof *chosen);
    assert_non_null(chosen);
    for (int64_t at = 0, n_done; at < p->n_new; at += n_done) {
        ifn_error err = {0};
        assert_ok(e2e_engine_generate(engine, p->ids, p->n + at, p->n_new - at, p->ids, chosen,
                                      logits, &n_done, &err),
                  err);
        assert_true(n_done > 0);
        n_compared += n_done;
        const int64_t last = p->n + at + n_done - 1;
        if (chosen[n_done - 1] == p->ids[last])
            continue;
        assert_near_tie(p, last, logits + (n_done - 1) * ifn_model_hparams(model)->n_vocab,
                        backend);
        n_ties++;
    }
    free(chosen);
    free(logits);
}

static int follow_on(const char *name)
{
    ifn_backend *backend;
    e2e_engine engine = open_engine(name, &backend);
    for (int i = 0; i < n_prompts; i++)
        follow(&engine, &prompts[i], name);
    e2e_engine_close(&engine);
    ifn_backend_close(backend);
    return 0;
}

/* Tries the prompts of a set that are for this file. */
static void try_model(const char *path, const golden_set *set, int is_copy)
{
    ifn_gguf *gguf;
    ifn_model *opened;
    ifn_error err = {0};
    n_prompts = 0;
    assert_ok(ifn_gguf_open(path, NULL, &gguf, &err), err);
    assert_ok(ifn_model_open(gguf, NULL, &opened, &err), err);
    model = opened;
    for (size_t i = 0; i < set->n; i++)
        if (golden_set_tries(set, i) && (!is_copy || golden_copy_of(&set->specs[i]) == path))
            take_prompt(&set->specs[i]);
    let_scalar_go_on();
    assert_int_equal(golden_on_each(n_backends, backends, follow_on), 0);
    for (int i = 0; i < n_prompts; i++)
        free(prompts[i].ids);
    ifn_model_close(opened);
    ifn_gguf_close(gguf);
}

/* Its weights are F16; int8 activations are for weights in blocks. */
static void the_shipped_model_goes_the_way_of_scalar(void **state)
{
    (void)state;
    if (way.activations == IFN_ACTIVATIONS_Q8)
        return;
    golden_set set = golden_set_read("spec/generate");
    try_model(source_path(golden_shipped), &set, 0);
    golden_set_free(&set);
}

static void its_quantized_copies_do(void **state)
{
    (void)state;
    golden_set set = golden_set_read("spec/generate/quant");
    golden_copies_make();
    for (size_t i = 1; i < GOLDEN_COPIES; i++)
        try_model(golden_copy(i), &set, 1);
    golden_set_free(&set);
    print_message("%s, kv %s: %lld ids, %lld near ties fell otherwise\n",
                  way.activations == IFN_ACTIVATIONS_Q8 ? "q8" : "f32", e2e_kv_name(way.kv),
                  (long long)n_compared, (long long)n_ties);
    assert_true(n_compared > 0);
}

static int read_way(char **words)
{
    char *end;
    way.activations = strcmp(words[0], "q8") == 0 ? IFN_ACTIVATIONS_Q8 : IFN_ACTIVATIONS_F32;
    for (int kv = 0; kv < 4; kv++) {
        way.kv = (ifn_kv)kv;
        if (strcmp(e2e_kv_name(way.kv), words[1]) == 0)
            break;
    }
    most_new = strtoll(words[2], &end, 10);
    return strcmp(e2e_kv_name(way.kv), words[1]) == 0 && !*end;
}

int main(int argc, char **argv)
{
    static char text[][8] = {"q8", "q8_0", "4", "simd"};
    static char *quick[] = {text[0], text[1], text[2], text[3]};
    const struct CMUnitTest tests[] = {
        RUN(the_shipped_model_goes_the_way_of_scalar),
        RUN(its_quantized_copies_do),
    };
    char **const words = argc == 1 ? quick : argv + 1;
    n_backends = argc == 1 ? 1 : argc - 4;
    if (n_backends < 1 || !read_way(words)) {
        print_error("expected f32 or q8, a cache, a number of ids, backends\n");
        return 2;
    }
    backends = words + 3;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
