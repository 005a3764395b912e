/*
 * Compares the truth with results made elsewhere: by Hugging Face transformers and by an independent float64 pass over
 * the same files (README.md of the external data). A tolerance is the precision that their numbers are printed with,
 * or the accuracy of a float32 reference.
 */
#include "forward_f64.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "paths.h"
#include "test.h"

typedef struct opened {
    ifn_gguf *gguf;
    ifn_model *model;
} opened;

static opened open_model(const char *name)
{
    char relative[256];
    opened o;
    ifn_error err = {0};
    snprintf(relative, sizeof relative, "models/%s", name);
    assert_ok(ifn_gguf_open(external_path(relative), NULL, &o.gguf, &err), err);
    assert_ok(ifn_model_open(o.gguf, NULL, &o.model, &err), err);
    return o;
}

static void close_model(opened *o)
{
    ifn_model_close(o->model);
    ifn_gguf_close(o->gguf);
}

static json *read_json(const char *name)
{
    char *const text = read_file(external_path(name), NULL);
    assert_that(text, "%s cannot be read", name);
    json *const value = json_parse(text, NULL);
    free(text);
    return value;
}

/* Logits of every position of a list of ids, with exact f32-mode arithmetic. The caller frees. */
static double *logits_of(const ifn_model *model, const json *list)
{
    const conform_truth_mode exact = {.activations = IFN_ACTIVATIONS_F32};
    const size_t n_vocab = (size_t)ifn_model_hparams(model)->n_vocab;
    ifn_token *const ids = malloc(list->n * sizeof *ids);
    double *const logits = malloc(list->n * n_vocab * sizeof *logits);
    ifn_error err = {0};
    for (size_t i = 0; i < list->n; i++)
        ids[i] = (ifn_token)json_int(&list->items[i]);
    assert_ok(conform_forward_f64(model, ids, (int64_t)list->n, &exact, NULL, NULL, logits, &err),
              err);
    free(ids);
    return logits;
}

/* Numbers in reading order, however nested. */
static size_t flatten(const json *value, double *out)
{
    if (value->type == JSON_NUMBER) {
        *out = value->number;
        return 1;
    }
    size_t n = 0;
    for (size_t i = 0; i < value->n; i++)
        n += flatten(&value->items[i], out + n);
    return n;
}

static void note(double *worst, double got, double want)
{
    const double difference = fabs(got - want);
    *worst = difference <= *worst ? *worst : difference; /* a NaN stays */
}

static void assert_worst(const char *what, double worst, double tolerance)
{
    print_message("%s: largest difference %.2e\n", what, worst);
    assert_that(worst <= tolerance, "%s: %.3e, expected at most %.1e", what, worst, tolerance);
}

static double sequence_difference(const ifn_model *model, const json *list, const double *want)
{
    double *const got = logits_of(model, list), worst = 0;
    const size_t n = list->n * (size_t)ifn_model_hparams(model)->n_vocab;
    for (size_t i = 0; i < n; i++)
        note(&worst, got[i], want[i]);
    free(got);
    return worst;
}

/* transformers in float32, logits up to about 4. */
static void check_ferrl(const char *file, const char *golden, double tolerance)
{
    static double want[65536];
    opened o = open_model(file);
    json *const root = read_json(golden);
    const json *const cases = json_get(root, "cases");
    double worst = 0;
    assert_true(cases->n > 0);
    for (size_t c = 0; c < cases->n; c++) {
        const json *const batch = json_get(&cases->items[c], "input_ids");
        const size_t n = flatten(json_get(&cases->items[c], "logits"), want);
        for (size_t b = 0; b < batch->n; b++)
            note(&worst, sequence_difference(o.model, &batch->items[b], want + b * (n / batch->n)),
                 0);
    }
    assert_worst(file, worst, tolerance);
    json_free(root);
    close_model(&o);
}

static void hugging_face_agrees_on_llama_with_scaled_frequencies(void **state)
{
    (void)state;
    check_ferrl("hf-oracle/ferrl-tiny_llama-f32.gguf",
                "models/hf-oracle/ferrl-tiny_llama_golden.json", 1e-5);
}

static void hugging_face_agrees_on_qwen3(void **state)
{
    (void)state;
    check_ferrl("hf-oracle/ferrl-tiny_qwen3-f32.gguf",
                "models/hf-oracle/ferrl-tiny_qwen3_golden.json", 1e-6);
}

/* transformers in float64; the file holds eps and theta as float32. */
static void hugging_face_in_float64_agrees_on_qwen2(void **state)
{
    (void)state;
    static double want[65536];
    opened o = open_model("hf-oracle/neural-api-tiny_qwen2-f32.gguf");
    json *const root = read_json("models/hf-oracle/neural-api-tiny_qwen2_logits.json");
    const json *const sequences = json_get(root, "sequences"), *logits = json_get(root, "logits");
    double worst = 0;
    assert_true(sequences->n > 0);
    for (size_t i = 0; i < sequences->n; i++) {
        flatten(&logits->items[i], want);
        note(&worst, sequence_difference(o.model, &sequences->items[i], want), 0);
    }
    assert_worst("qwen2, float64", worst, 1e-7);
    json_free(root);
    close_model(&o);
}

/* Printed with six decimals; its weights with a minimum were rounded to f32, ours are exact. */
static void k_quantized_models_agree_to_the_printed_digits(void **state)
{
    (void)state;
    static double want[65536];
    json *const root = read_json("models/kquant/expected.json");
    assert_true(root->n > 0);
    for (size_t i = 0; i < root->n; i++) {
        const json *const one = &root->items[i];
        char name[128];
        snprintf(name, sizeof name, "kquant/%s", json_get(one, "file")->string);
        opened o = open_model(name);
        flatten(json_get(one, "logits"), want);
        assert_worst(name, sequence_difference(o.model, json_get(one, "input_ids"), want), 5.1e-7);
        close_model(&o);
    }
    json_free(root);
}

/* Ids of a list, then of another but its last: what greedy decoding was fed. */
static json joined(const json *prompt, const json *greedy)
{
    json all = {.type = JSON_ARRAY, .n = prompt->n + greedy->n - 1};
    all.items = malloc(all.n * sizeof *all.items);
    memcpy(all.items, prompt->items, prompt->n * sizeof *all.items);
    memcpy(all.items + prompt->n, greedy->items, (greedy->n - 1) * sizeof *all.items);
    return all;
}

/* Margins are printed with four decimals. */
static void assert_greedy(const char *key, const double *logits, size_t n_vocab, const json *want,
                          const json *margins)
{
    for (size_t step = 0; step < want->n; step++) {
        const double *const row = logits + step * n_vocab;
        const size_t id = (size_t)json_int(&want->items[step]);
        double runner_up = -(double)INFINITY;
        for (size_t i = 0; i < n_vocab; i++)
            if (i != id)
                runner_up = fmax(runner_up, row[i]);
        const double margin = row[id] - runner_up;
        assert_that(fabs(margin - margins->items[step].number) <= 5.1e-5,
                    "%s: step %zu: margin %.7f, expected %.7f", key, step, margin,
                    margins->items[step].number);
    }
}

static void check_entry(const char *key, const json *entry)
{
    char file[128];
    snprintf(file, sizeof file, "%.*s", (int)strcspn(key, "|"), key);
    opened o = open_model(file);
    const size_t n_vocab = (size_t)ifn_model_hparams(o.model)->n_vocab;
    const json *const prompt = json_get(entry, "prompt_ids");
    const json *const greedy = json_get(entry, "greedy_ids");
    json all = joined(prompt, greedy);
    double *const logits = logits_of(o.model, &all), worst = 0;
    const double *const last = logits + (prompt->n - 1) * n_vocab;
    const json *const whole = json_get(entry, "last_prompt_logits");
    const json *const top = json_get(entry, "last_prompt_top20");
    for (size_t i = 0; whole && i < whole->n; i++)
        note(&worst, last[i], whole->items[i].number);
    for (size_t i = 0; i < top->n; i++)
        note(&worst, last[json_int(&top->items[i].items[0])], top->items[i].items[1].number);
    assert_worst(key, worst, 5.1e-7);
    assert_greedy(key, last, n_vocab, greedy, json_get(entry, "greedy_margin_top1_top2"));
    free(logits);
    free(all.items);
    close_model(&o);
}

static void continuations_have_the_expected_logits_and_margins(void **state)
{
    (void)state;
    json *const root = read_json("models/expected.json");
    assert_true(root->n >= 12);
    for (size_t i = 0; i < root->n; i++)
        check_entry(root->keys[i], &root->items[i]);
    json_free(root);
}

int main(void)
{
    if (!external_path(""))
        return TEST_NOT_RUN;
    const struct CMUnitTest tests[] = {
        RUN(hugging_face_agrees_on_llama_with_scaled_frequencies),
        RUN(hugging_face_agrees_on_qwen3),
        RUN(hugging_face_in_float64_agrees_on_qwen2),
        RUN(k_quantized_models_agree_to_the_printed_digits),
        RUN(continuations_have_the_expected_logits_and_margins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
