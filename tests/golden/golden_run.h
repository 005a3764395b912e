/* Runs one engine and compares it with golden files. */
#ifndef GOLDEN_RUN_H
#define GOLDEN_RUN_H

#include <inferno/context.h>
#include <inferno/tokenizer.h>

#include "golden_spec.h"

/* A graph and a cache. The scalar backend is slow, so decoding follows a golden file only until `rows_each` rows
 * have gone through the model; the single pass over the whole text is never shortened. */
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
    ifn_tokenizer *tokenizer; /* NULL: the model has no usable tokenizer */
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
/* Calls `run`, which returns how many tests failed, for each backend; skips levels that this processor lacks.
 * Returns 0 if at least one backend ran and no test failed. */
int golden_on_each(int n, char *const *backends, int (*run)(const char *backend));
void golden_run_close(golden_run *run);

/* Writes the SHA-256 by which golden files identify a model. */
void golden_sum(const char *model, char out[65]);
/* Fails the test unless `sum` is that of the golden file. */
void golden_check_sum(const golden_spec *spec, const char sum[65]);
/* Fails the test unless the prompt encodes to prompt_ids. */
void golden_check_prompt(const golden_run *run, const golden_spec *spec);

/* Generates greedily, one id at a time. Each id must be the golden one if the margin excludes rounding, and every
 * leading logit must be close to its golden value. After a near tie that fell otherwise the golden id is fed, so
 * every step is compared. */
void golden_decode(golden_run *run, const golden_spec *spec);

/* Evaluates prompt and continuation in one pass, and checks the leading logits and the best id of every step. */
void golden_prefill(golden_run *run, const golden_spec *spec);

/* Returns the logits of all positions of prompt and continuation, [n, n_vocab], which the caller frees. */
float *golden_all_logits(golden_run *run, const golden_spec *spec, size_t *n);

#endif
