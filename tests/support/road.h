/* All that one test needs to evaluate a model: file, model, backend, weights, context. */
#ifndef IFN_ROAD_H
#define IFN_ROAD_H

#include <inferno/context.h>

#include "paths.h"
#include "test.h"
#include "tiny_model.h"

typedef struct road {
    ifn_gguf *gguf;
    ifn_model *model;
    ifn_backend *backend;
    ifn_weights *weights;
    ifn_context *context;
} road;

/* Parameters a test starts from: fused graph, f32 activations, f32 cache, 64 tokens. */
static inline ifn_context_params road_params(void)
{
    return IFN_SIZED(ifn_context_params, .max_pos = 64, .activations = IFN_ACTIVATIONS_F32,
                     .kv = IFN_KV_F32);
}

/* The road of a file on any chain; options NULL: all defaults. */
static inline road road_open_on(const char *path, const ifn_context_params *params,
                                const char *expression, const ifn_backend_options *options)
{
    road r;
    ifn_error err = {0};
    assert_ok(ifn_gguf_open(path, NULL, &r.gguf, &err), err);
    assert_ok(ifn_model_open(r.gguf, NULL, &r.model, &err), err);
    assert_ok(ifn_backend_open(expression, options, &r.backend, &err), err);
    assert_ok(ifn_weights_open(r.model, r.backend, ifn_context_uses(r.model, params), NULL, NULL,
                               &r.weights, &err),
              err);
    assert_ok(ifn_context_open(r.weights, params, NULL, &r.context, &err), err);
    return r;
}

static inline road road_open_file(const char *path, const ifn_context_params *params)
{
    return road_open_on(path, params, "scalar", NULL);
}

static inline road road_open(const tiny_model *m, const ifn_context_params *params)
{
    const char *path = temp_path("road.gguf");
    tiny_write(m, path);
    return road_open_file(path, params);
}

static inline void road_close(road *r)
{
    ifn_context_close(r->context);
    ifn_weights_unref(r->weights);
    ifn_backend_close(r->backend);
    ifn_model_close(r->model);
    ifn_gguf_close(r->gguf);
}

static inline void road_eval(road *r, const ifn_token *ids, size_t n)
{
    ifn_error err = {0};
    assert_ok(ifn_context_eval(r->context, ids, n, &err), err);
}

static inline void road_logits(road *r, float *out)
{
    ifn_error err = {0};
    assert_ok(ifn_context_logits(r->context, out, &err), err);
}

static inline ifn_token road_greedy(road *r, float *prob)
{
    ifn_sampler greedy = IFN_SAMPLER_INIT;
    ifn_token id;
    ifn_error err = {0};
    assert_ok(ifn_sampler_init(&greedy, &IFN_SIZED(ifn_sampling), &err), err);
    assert_ok(ifn_context_sample(r->context, &greedy, &id, prob, &err), err);
    return id;
}

/* Evaluates the prompt, then generates n ids greedily into out. */
static inline void road_generate(road *r, const ifn_token *prompt, size_t n_prompt, ifn_token *out,
                                 size_t n)
{
    road_eval(r, prompt, n_prompt);
    for (size_t i = 0; i < n; i++) {
        out[i] = road_greedy(r, NULL);
        if (i + 1 < n)
            road_eval(r, &out[i], 1);
    }
}

#endif
