/* A tiny model and its truth, for tests of whole models. */
#ifndef CONFORM_E2E_MODEL_H
#define CONFORM_E2E_MODEL_H

#include "e2e_truth.h"
#include "road.h"

typedef struct tiny_truth {
    ifn_gguf *gguf;
    ifn_model *model;
    e2e_truth truth;
} tiny_truth;

/* A model and its truth in one mode. */
static inline tiny_truth tiny_truth_of(const tiny_model *m, ifn_activations activations,
                                       ifn_dtype cache, int with_free,
                                       const conform_arithmetics *declared)
{
    static const ifn_token ids[] = {3, 17, 42, 42, 0};
    const conform_truth_mode mode = {.activations = activations, .cache = cache};
    const e2e_prompt prompt = {"five", ids, 5, 4, NULL, NULL};
    const char *const path = temp_path("e2e.gguf");
    tiny_truth t;
    ifn_error err = {0};
    tiny_write(m, path);
    assert_ok(ifn_gguf_open(path, NULL, &t.gguf, &err), err);
    assert_ok(ifn_model_open(t.gguf, NULL, &t.model, &err), err);
    assert_ok(e2e_truth_open(&t.truth, t.model, &mode, declared, &prompt, with_free, &err), err);
    return t;
}

/* The same for a model with rows of 256 and heads of 128: every dtype and cache fits, and sums are long enough for
 * variants to differ. */
static inline tiny_truth tiny_truth_declared(const char *arch, ifn_dtype dtype,
                                             ifn_activations activations, ifn_dtype cache,
                                             int with_free, const conform_arithmetics *declared)
{
    tiny_model m = tiny_wide(arch, dtype);
    m.n_layers = 2;
    return tiny_truth_of(&m, activations, cache, with_free, declared);
}

static inline tiny_truth tiny_truth_open(const char *arch, ifn_dtype dtype,
                                         ifn_activations activations, ifn_dtype cache,
                                         int with_free)
{
    return tiny_truth_declared(arch, dtype, activations, cache, with_free, NULL);
}

static inline void tiny_truth_close(tiny_truth *t)
{
    e2e_truth_close(&t->truth);
    ifn_model_close(t->model);
    ifn_gguf_close(t->gguf);
}

#endif
