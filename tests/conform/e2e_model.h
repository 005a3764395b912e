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

/* Rows of 256 and heads of 128: every dtype and cache fits, and sums are long enough for variants
 * to differ. */
static inline tiny_truth tiny_truth_open(const char *arch, ifn_dtype dtype,
                                         ifn_activations activations, ifn_dtype cache,
                                         int with_free)
{
    static const ifn_token ids[] = {3, 17, 42, 42, 0};
    const conform_truth_mode mode = {.activations = activations, .cache = cache};
    const e2e_prompt prompt = {"five", ids, 5, 4, NULL, NULL};
    const char *const path = temp_path("e2e.gguf");
    tiny_model m = tiny_wide(arch, dtype);
    tiny_truth t;
    ifn_error err = {0};
    m.n_layers = 2;
    tiny_write(&m, path);
    assert_ok(ifn_gguf_open(path, NULL, &t.gguf, &err), err);
    assert_ok(ifn_model_open(t.gguf, NULL, &t.model, &err), err);
    assert_ok(e2e_truth_open(&t.truth, t.model, &mode, &prompt, with_free, &err), err);
    return t;
}

static inline void tiny_truth_close(tiny_truth *t)
{
    e2e_truth_close(&t->truth);
    ifn_model_close(t->model);
    ifn_gguf_close(t->gguf);
}

#endif
