/* The same seed gives the same text: on every backend, every time, in the library and in the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden_run.h"
#include "paths.h"
#include "program.h"
#include "test.h"

enum { N_IDS = 40, MAX_STACKS = 64, STACK_BYTES = 64 };

static const char shipped[] = "fixtures/gguf/little-world-f16.gguf";
static const char prompt[] = "Once upon a time";

/* Lists every leaf that runs here, alone and inside every wrapper. */
static size_t list_stacks(char out[MAX_STACKS][STACK_BYTES])
{
    size_t n, n_out = 0;
    const ifn_backend_desc *const *list = ifn_backend_list(&n);
    for (size_t leaf = 0; leaf < n; leaf++) {
        if (list[leaf]->flags & IFN_BACKEND_WRAPPER)
            continue;
        snprintf(out[n_out++], STACK_BYTES, "%s", list[leaf]->name);
        for (size_t w = 0; w < n; w++)
            if (list[w]->flags & IFN_BACKEND_WRAPPER)
                snprintf(out[n_out++], STACK_BYTES, "%s:%s", list[w]->name, list[leaf]->name);
        assert_true(n_out + n < MAX_STACKS);
    }
    return n_out;
}

/* Samples a continuation of the prompt on a backend, at temperature 0.8. */
static void sample_with(ifn_backend *backend, uint64_t seed, ifn_token out[N_IDS])
{
    const ifn_context_params params = IFN_SIZED(ifn_context_params, .kv = IFN_KV_F32);
    ifn_gguf *gguf;
    ifn_model *model;
    ifn_tokenizer *tokenizer;
    ifn_weights *weights;
    ifn_context *context;
    ifn_tokens ids = {0};
    ifn_sampler sampler = IFN_SAMPLER_INIT;
    ifn_error err = {0};
    assert_ok(ifn_gguf_open(source_path(shipped), NULL, &gguf, &err), err);
    assert_ok(ifn_model_open(gguf, NULL, &model, &err), err);
    assert_ok(ifn_tokenizer_open(gguf, NULL, &tokenizer, &err), err);
    assert_ok(ifn_weights_open(model, backend, ifn_context_uses(model, &params), NULL, NULL,
                               &weights, &err),
              err);
    assert_ok(ifn_context_open(weights, &params, NULL, &context, &err), err);
    assert_ok(ifn_tokenize(tokenizer, prompt, strlen(prompt), 0, &ids, &err), err);
    assert_ok(ifn_sampler_init(&sampler,
                               &IFN_SIZED(ifn_sampling, .temperature = 0.8F, .seed = seed), &err),
              err);
    assert_ok(ifn_context_eval(context, ids.ids, ids.n, &err), err);
    for (size_t i = 0; i < N_IDS; i++) {
        assert_ok(ifn_context_sample(context, &sampler, &out[i], NULL, &err), err);
        assert_ok(ifn_context_eval(context, &out[i], 1, &err), err);
    }
    ifn_tokens_free(&ids);
    ifn_context_close(context);
    ifn_weights_unref(weights);
    ifn_tokenizer_close(tokenizer);
    ifn_model_close(model);
    ifn_gguf_close(gguf);
}

/* Returns 0 if the backend cannot run on this machine. */
static int sample_on(const char *stack, uint64_t seed, ifn_token out[N_IDS])
{
    ifn_backend *backend;
    ifn_error err = {0};
    if (ifn_backend_open(stack, NULL, &backend, &err) != IFN_OK)
        return 0;
    sample_with(backend, seed, out);
    ifn_backend_close(backend);
    return 1;
}

TEST(every_backend_draws_the_same_ids)
{
    static char stacks[MAX_STACKS][STACK_BYTES];
    ifn_token want[N_IDS], got[N_IDS];
    int n_run = 0;
    const size_t n = list_stacks(stacks);
    assert_true(sample_on("scalar", 7, want));
    for (size_t s = 0; s < n; s++) {
        if (!sample_on(stacks[s], 7, got))
            continue;
        n_run++;
        for (size_t i = 0; i < N_IDS; i++)
            assert_that(got[i] == want[i], "%s: id %zu is %d, of scalar %d", stacks[s], i,
                        (int)got[i], (int)want[i]);
    }
    assert_true(n_run > 0);
}

TEST(another_seed_draws_others)
{
    ifn_token seven[N_IDS], eight[N_IDS];
    assert_true(sample_on("scalar", 7, seven) && sample_on("scalar", 8, eight));
    assert_memory_not_equal(seven, eight, sizeof seven);
}

static json *generate(const char *backend, const char *kv)
{
    return assert_json("inferno", "generate", "-p", prompt, "-n", "40", "--temp", "0.8", "--seed",
                       "7", "--ignore-eos", "--backend", backend, "--kv", kv, "--json");
}

/* The program gets no model, so it finds the shipped one. */
TEST(the_program_draws_the_ids_of_the_library_every_time)
{
    ifn_token want[N_IDS];
    assert_true(sample_on("scalar", 7, want));
    json *once = generate("scalar", "basic"), *again = generate("scalar", "basic");
    json *uncached = generate("scalar", "off");
    const json *ids = json_get(once, "ids");
    assert_int_equal(ids->n, N_IDS);
    for (size_t i = 0; i < N_IDS; i++)
        assert_int_equal(json_int(&ids->items[i]), want[i]);
    const char *text = json_get(once, "text")->string;
    assert_true(strlen(text) > 100);
    assert_string_equal(json_get(again, "text")->string, text);
    assert_string_equal(json_get(uncached, "text")->string, text);
    json_free(once);
    json_free(again);
    json_free(uncached);
}
