#include "e2e_prompts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/tokenizer.h>

#include "gen.h"
#include "spec_doc.h"

/* X(profile, texts, random prompts, ids, new ids, random ids, more runs, prompts that run in narrowing modes, ids of
 * the long prompt, its cuts, multiply-adds that may be spent). 28 and 2100 ids exceed sizes at which other engines
 * had bugs: a code path for more than 16 rows, blocks of 256 or 2048 keys. */
/* clang-format off */
#define EFFORTS(X)                                             \
    X(SMOKE,   1, 1,   8,  8,  28,   2,  1,  300, 2, 2e10)     \
    X(CI,      4, 2,  24, 24,  28,   8,  3, 2100, 4, 2e11)     \
    X(NIGHTLY, 7, 4, 288, 64, 288, 100, 11, 4200, 6, 1e13)
/* clang-format on */

/* Files of spec/generate: prose, then kinds of text that are rarer in training data; the last is longer than a block of
 * keys. */
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

int e2e_mode_is_narrow(const conform_truth_mode *mode)
{
    return mode->activations == IFN_ACTIVATIONS_Q8 || mode->cache != IFN_DTYPE_F32;
}

static double cells_of(const ifn_tensor *t)
{
    return (double)t->shape[0] * (double)t->shape[1];
}

/* Returns the multiply-adds of one id, without attention. */
static double work_of_id(const ifn_model *model)
{
    double work = cells_of(ifn_model_tensors_of(model)->output);
    for (int64_t i = 0; i < ifn_model_hparams(model)->n_layers; i++) {
        const ifn_layer *const l = ifn_model_layer(model, i);
        const ifn_tensor *const all[] = {l->attn_q,   l->attn_k, l->attn_v,  l->attn_output,
                                         l->ffn_gate, l->ffn_up, l->ffn_down};
        for (size_t t = 0; t < sizeof all / sizeof all[0]; t++)
            work += cells_of(all[t]);
    }
    return work;
}

/* Estimates the passes through the model for one prompt in all modes: truths, variants, runs of backends. */
static double passes_of(const ifn_model *model, const e2e_effort *e, int n_tested)
{
    conform_truth_mode modes[E2E_MAX_MODES];
    const int n = e2e_modes_of(model, modes);
    double passes = 0;
    for (int i = 0; i < n; i++) {
        const bool is_narrow = e2e_mode_is_narrow(&modes[i]);
        passes += 1 + CONFORM_NOISE_RUNS + 12.0 * n_tested;
        passes += is_narrow && e->with_free ? E2E_JOLTED_RUNS : 0;
    }
    return passes;
}

/* Estimates the multiply-adds of a long prompt of n ids in all modes: the truth, its variants, every cut of every
 * backend. A position sees n / 2 keys on average, each in two products (scores and values). */
static double work_of_long(const ifn_model *model, const e2e_effort *e, int n_tested, int64_t n)
{
    const ifn_hparams *const h = ifn_model_hparams(model);
    conform_truth_mode modes[E2E_MAX_MODES];
    const double per_id =
        work_of_id(model) + (double)(h->n_layers * h->n_heads * h->head_dim) * (double)n;
    const double passes = 2 + (double)n_tested * (double)e->n_cuts;
    return per_id * passes * e2e_modes_of(model, modes) * (double)n;
}

/* Sets the length of the long prompt so that its work stays within `most`; none below LEAST_LONG ids, as other prompts
 * are as long. */
static void set_long(e2e_effort *e, const ifn_model *model, int n_tested, double most)
{
    enum { LEAST_LONG = 64 };
    const int64_t n_ctx = ifn_model_hparams(model)->n_ctx_train;
    e->n_long = e->n_wanted;
    if (n_ctx > 0 && n_ctx < e->n_long) {
        e->n_long = n_ctx;
        e->why_shorter = "the model's context";
    }
    while (e->n_long >= LEAST_LONG && work_of_long(model, e, n_tested, e->n_long) > most) {
        e->n_long = e->n_long * 3 / 4;
        e->why_shorter = "so large a model";
    }
    e->n_long = e->n_long < LEAST_LONG ? 0 : e->n_long;
}

e2e_effort e2e_effort_of(conform_profile profile, const ifn_model *model, int n_tested)
{
    static const struct {
        e2e_effort effort;
        double most;
    } all[PROFILE_COUNT] = {
#define X(NAME, n_texts, n_random, n_prompt, n_new, n_random_ids, n_more, n_narrow, n_wanted,      \
          n_cuts, most)                                                                            \
    [PROFILE_##NAME] = {{n_texts, n_random, n_prompt, n_new, n_random_ids, n_more, n_narrow,       \
                         n_wanted, n_cuts, 1, 0, NULL},                                            \
                        most},
        EFFORTS(X)
#undef X
    };
    e2e_effort e = all[profile].effort;
    const double most = all[profile].most / work_of_id(model);
    set_long(&e, model, n_tested, all[profile].most);
#define COST(ids)                                                                                  \
    ((double)(e.n_texts + e.n_random) * passes_of(model, &e, n_tested) * (double)(ids))
    while (e.n_texts + e.n_random > 2 && COST(e.n_prompt + e.n_new) > most) {
        e.n_texts -= e.n_texts > 1;
        e.n_random -= e.n_texts == 1 && e.n_random > 1;
    }
    while (e.n_prompt + e.n_new > 2 * LEAST_IDS && COST(e.n_prompt + e.n_new) > most) {
        e.n_prompt -= e.n_prompt > LEAST_IDS;
        e.n_new -= e.n_new > LEAST_IDS;
    }
    while (e.n_random_ids > LEAST_IDS && COST(e.n_random_ids + e.n_new) > 2 * most)
        e.n_random_ids--;
    if (COST(e.n_prompt + e.n_new) > most)
        e.with_free = 0;
    if (COST(e.n_prompt + e.n_new) > most)
        e.n_texts = 0;
#undef COST
    return e;
}

/* Reads the value of `prompt` in a golden file and skips all other keys. */
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

/* Adds a prompt and takes ownership of its ids. Ignores an empty one. */
static void add(e2e_prompts *self, int64_t n_new, const char *name, ifn_token *ids, int64_t n)
{
    if (n < 1 || self->n == E2E_MAX_PROMPTS) {
        free(ids);
        return;
    }
    snprintf(self->names[self->n], sizeof self->names[self->n], "%s", name);
    self->ids[self->n] = ids;
    self->list[self->n] = (e2e_prompt){self->names[self->n], ids, n, n_new, NULL, NULL};
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
    const int64_t n = (int64_t)tokens.n < effort->n_prompt ? (int64_t)tokens.n : effort->n_prompt;
    add(self, effort->n_new, name, ids, ids ? n : 0);
    ifn_tokens_free(&tokens);
    return IFN_OK;
}

/* Adds no texts if the file has no usable tokenizer. */
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

ifn_token *e2e_random_ids(const ifn_model *model, uint64_t seed, const char *name, int64_t n)
{
    const int64_t n_vocab = ifn_model_hparams(model)->n_vocab;
    const conform_stream s = conform_stream_of(seed, name);
    ifn_token *const ids = malloc((size_t)n * sizeof *ids + 1);
    for (int64_t i = 0; ids && i < n; i++)
        ids[i] = (ifn_token)conform_integer(s, (uint64_t)i, 0, n_vocab - 1);
    return ids;
}

static void add_random(e2e_prompts *self, const ifn_model *model, const e2e_effort *effort,
                       uint64_t seed, int index)
{
    char name[32];
    snprintf(name, sizeof name, "random-%d", index);
    ifn_token *const ids = e2e_random_ids(model, seed, name, effort->n_random_ids);
    add(self, effort->n_new, name, ids, ids ? effort->n_random_ids : 0);
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
