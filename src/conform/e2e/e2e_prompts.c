#include "e2e/e2e_prompts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/tokenizer.h>

#include "gen.h"
#include "spec_doc.h"

/* X(profile, texts, random prompts, ids, new ids, more runs, multiply-adds that may be spent) */
/* clang-format off */
#define EFFORTS(X)                              \
    X(SMOKE,   1, 1,   8,  8,   3, 2e10)        \
    X(CI,      4, 2,  24, 24,  12, 4e11)        \
    X(NIGHTLY, 7, 4, 288, 64, 100, 1e13)
/* clang-format on */

/* Files of spec/generate: prose, then what tokenizers and models see less of; the last is longer
 * than a block of keys. */
static const char *const texts[] = {"once-upon-a-time",   "mid-dialog", "code", "emoji",
                                    "in-a-small-village", "digits",     "long"};

enum { N_TEXTS = sizeof texts / sizeof *texts, LEAST_IDS = 4 };

int e2e_modes_of(const ifn_model *model, conform_truth_mode out[E2E_MAX_MODES])
{
    static const ifn_dtype caches[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    const int64_t head_dim = ifn_model_hparams(model)->head_dim;
    int n = 0;
    for (int q8 = 0; q8 <= ifn_model_is_quantized(model); q8++)
        for (int c = 0; c < 3; c++)
            if (head_dim % ifn_dtype_block_elements(caches[c]) == 0)
                out[n++] = (conform_truth_mode){.activations =
                                                    q8 ? IFN_ACTIVATIONS_Q8 : IFN_ACTIVATIONS_F32,
                                                .cache = caches[c]};
    return n;
}

static double cells_of(const ifn_tensor *t)
{
    return (double)t->shape[0] * (double)t->shape[1];
}

/* Multiply-adds of one id, without attention. */
static double work_of_id(const ifn_model *model)
{
    double work = cells_of(ifn_model_globals(model)->output);
    for (int64_t i = 0; i < ifn_model_hparams(model)->n_layers; i++) {
        const ifn_layer *const l = ifn_model_layer(model, i);
        const ifn_tensor *const all[] = {l->attn_q,   l->attn_k, l->attn_v,  l->attn_output,
                                         l->ffn_gate, l->ffn_up, l->ffn_down};
        for (size_t t = 0; t < sizeof all / sizeof all[0]; t++)
            work += cells_of(all[t]);
    }
    return work;
}

/* Passes through the model for one id of one prompt: truths, variants, runs of backends. */
static double passes_of(const ifn_model *model, const e2e_effort *e, int n_subjects)
{
    conform_truth_mode modes[E2E_MAX_MODES];
    const int n = e2e_modes_of(model, modes);
    double passes = 0;
    for (int i = 0; i < n; i++) {
        const int is_narrow =
            modes[i].activations == IFN_ACTIVATIONS_Q8 || modes[i].cache != IFN_DTYPE_F32;
        passes += 1 + CONFORM_NOISE_RUNS + 12.0 * n_subjects;
        passes += is_narrow && e->with_free ? E2E_JOLTED_RUNS : 0;
    }
    return passes;
}

e2e_effort e2e_effort_of(conform_profile profile, const ifn_model *model, int n_subjects)
{
    static const struct {
        e2e_effort effort;
        double most;
    } all[PROFILE_COUNT] = {
#define X(NAME, n_texts, n_random, n_prompt, n_new, n_more, most)                                  \
    [PROFILE_##NAME] = {{n_texts, n_random, n_prompt, n_new, n_more, 1}, most},
        EFFORTS(X)
#undef X
    };
    e2e_effort e = all[profile].effort;
    const double most = all[profile].most / work_of_id(model);
#define COST(ids)                                                                                  \
    ((double)(e.n_texts + e.n_random) * passes_of(model, &e, n_subjects) * (double)(ids))
    while (e.n_texts + e.n_random > 2 && COST(e.n_prompt + e.n_new) > most) {
        e.n_texts -= e.n_texts > 1;
        e.n_random -= e.n_texts == 1 && e.n_random > 1;
    }
    while (e.n_prompt + e.n_new > 2 * LEAST_IDS && COST(e.n_prompt + e.n_new) > most) {
        e.n_prompt -= e.n_prompt > LEAST_IDS;
        e.n_new -= e.n_new > LEAST_IDS;
    }
    if (COST(e.n_prompt + e.n_new) > most)
        e.with_free = 0;
    if (COST(e.n_prompt + e.n_new) > most)
        e.n_texts = 0;
#undef COST
    return e;
}

/* The value of `prompt` in a golden file, everything else passed over. */
static ifn_status find_prompt(spec_doc *doc, spec_node *key, spec_node *value, void *into)
{
    const char *name;
    IFN_TRY(spec_doc_text(doc, key, &name));
    return strcmp(name, "prompt") == 0 ? spec_doc_copy(doc, value, into) : IFN_OK;
}

static ifn_status read_text(const char *spec_dir, const char *name, char **out, ifn_error *err)
{
    char path[4200];
    spec_doc doc;
    *out = NULL;
    snprintf(path, sizeof path, "%.4000s/generate/%s.yaml", spec_dir, name);
    IFN_TRY(spec_doc_open(&doc, path, err));
    ifn_status status = spec_doc_pairs(&doc, spec_doc_root(&doc), find_prompt, out);
    if (status == IFN_OK && !*out)
        status = spec_doc_fail(&doc, spec_doc_root(&doc), "no prompt, expected a text");
    spec_doc_close(&doc);
    return status;
}

/* Takes the ids over; none is no prompt. */
static void add(e2e_prompts *self, const e2e_effort *effort, const char *name, ifn_token *ids,
                int64_t n)
{
    if (n < 1 || self->n == E2E_MAX_PROMPTS) {
        free(ids);
        return;
    }
    snprintf(self->names[self->n], sizeof self->names[self->n], "%s", name);
    self->ids[self->n] = ids;
    self->list[self->n] =
        (e2e_prompt){self->names[self->n], ids, n < effort->n_prompt ? n : effort->n_prompt,
                     effort->n_new, NULL};
    self->n++;
}

static ifn_status add_text(e2e_prompts *self, const ifn_tokenizer *tokenizer,
                           const e2e_effort *effort, const char *spec_dir, const char *name,
                           ifn_error *err)
{
    ifn_tokens tokens = {0};
    char *text;
    IFN_TRY(read_text(spec_dir, name, &text, err));
    const ifn_status status = ifn_tokenize(tokenizer, text, strlen(text), 0, &tokens, err);
    free(text);
    IFN_TRY(status);
    ifn_token *const ids = malloc(tokens.n * sizeof *ids + 1);
    if (ids && tokens.n)
        memcpy(ids, tokens.ids, tokens.n * sizeof *ids);
    add(self, effort, name, ids, ids ? (int64_t)tokens.n : 0);
    ifn_tokens_free(&tokens);
    return IFN_OK;
}

/* A file without a usable tokenizer is still a model. */
static ifn_status add_texts(e2e_prompts *self, const ifn_model *model, const e2e_effort *effort,
                            const char *spec_dir, ifn_error *err)
{
    ifn_tokenizer *tokenizer;
    ifn_status status = IFN_OK;
    if (ifn_tokenizer_open(ifn_model_gguf(model), NULL, &tokenizer, NULL) != IFN_OK)
        return IFN_OK;
    if (ifn_tokenizer_n_vocab(tokenizer) <= ifn_model_hparams(model)->n_vocab)
        for (int i = 0; status == IFN_OK && i < effort->n_texts && i < N_TEXTS; i++)
            status = add_text(self, tokenizer, effort, spec_dir, texts[i], err);
    ifn_tokenizer_close(tokenizer);
    return status;
}

static void add_random(e2e_prompts *self, const ifn_model *model, const e2e_effort *effort,
                       uint64_t seed, int index)
{
    const int64_t n_vocab = ifn_model_hparams(model)->n_vocab;
    ifn_token *const ids = malloc((size_t)effort->n_prompt * sizeof *ids);
    char name[32];
    snprintf(name, sizeof name, "random-%d", index);
    const conform_stream s = conform_stream_of(seed, name);
    for (int64_t i = 0; ids && i < effort->n_prompt; i++)
        ids[i] = (ifn_token)conform_integer(s, (uint64_t)i, 0, n_vocab - 1);
    add(self, effort, name, ids, ids ? effort->n_prompt : 0);
}

ifn_status e2e_prompts_open(e2e_prompts *self, const ifn_model *model, const e2e_effort *effort,
                            const char *spec_dir, uint64_t seed, ifn_error *err)
{
    *self = (e2e_prompts){.n = 0};
    IFN_TRY(add_texts(self, model, effort, spec_dir, err));
    for (int i = 0; i < effort->n_random; i++)
        add_random(self, model, effort, seed, i + 1);
    if (self->n == 0)
        return ifn_fail(err, IFN_ERR_NOMEM, "whole models: no memory for prompts");
    return IFN_OK;
}

void e2e_prompts_close(e2e_prompts *self)
{
    for (int i = 0; i < self->n; i++)
        free(self->ids[i]);
    *self = (e2e_prompts){.n = 0};
}
