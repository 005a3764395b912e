/* An engine of one kind, and golden files held against it. */
#ifndef GOLDEN_RUN_H
#define GOLDEN_RUN_H

#include <inferno/context.h>
#include <inferno/tokenizer.h>

#include "golden_spec.h"

/* A graph and a cache. The scalar backend is slow, so id by id a golden file is followed until
 * `rows_each` rows have gone through the model; the one pass over all of it is never cut. */
typedef struct golden_way {
    const char *name; /* "fused.basic" */
    ifn_graph graph;
    ifn_kv kv;
    int64_t rows_each; /* 0: all */
    int64_t max_pos;   /* 0: as the model says */
} golden_way;

typedef struct golden_run {
    const golden_way *way;
    ifn_gguf *gguf;
    ifn_model *model;
    ifn_tokenizer *tokenizer; /* NULL: the model has none that is of use */
    ifn_backend *backend;
    ifn_weights *weights;
    ifn_context *context;
    size_t n_vocab;
    float *logits;          /* [n_vocab] */
    size_t n_steps, n_ties; /* compared so far; of these, near ties that fell otherwise */
} golden_run;

/* Opens a model with f32 activations, on the scalar backend or on another. */
golden_run golden_run_open(const char *model, const golden_way *way);
golden_run golden_run_open_on(const char *model, const golden_way *way, const char *backend);
/* Calls `run`, which returns how many tests failed, for each backend; a level that this processor
 * has not is passed over. Returns 0 if there was one, and none failed. */
int golden_on_each(int n, char *const *backends, int (*run)(const char *backend));
void golden_run_close(golden_run *run);

/* The sum that golden files name a model by. */
void golden_sum(const char *model, char out[65]);
/* Fails the test unless it is that of the golden file. */
void golden_check_sum(const golden_spec *spec, const char sum[65]);
/* Fails it unless the prompt encodes to prompt_ids. */
void golden_check_prompt(const golden_run *run, const golden_spec *spec);

/**
 * Generates greedily, one id at a time. Every id is the golden one wherever the margin says that
 * rounding cannot decide, and every leading logit is close to its golden value. After a near tie
 * that fell otherwise the golden id is fed, so every step is compared.
 */
void golden_decode(golden_run *run, const golden_spec *spec);

/* Prompt and continuation in one pass: the leading logits and the best id of every step. */
void golden_prefill(golden_run *run, const golden_spec *spec);

/* The logits of all positions of prompt and continuation, [n, n_vocab]; the caller frees them. */
float *golden_all_logits(golden_run *run, const golden_spec *spec, size_t *n);

#endif
