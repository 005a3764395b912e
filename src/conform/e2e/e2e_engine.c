#include "e2e_engine.h"

#include <stdlib.h>

#include "poisoned.h"
#include "tap.h"

const char *e2e_kv_name(ifn_kv kv)
{
    static const char *const names[] = {"off", "basic", "f16", "q8_0"};
    return (unsigned)kv < sizeof names / sizeof *names ? names[kv] : "?";
}

ifn_kv e2e_kv_of(ifn_dtype cache)
{
    return cache == IFN_DTYPE_F16 ? IFN_KV_F16 : cache == IFN_DTYPE_Q8_0 ? IFN_KV_Q8_0 : IFN_KV_F32;
}

static ifn_context_params params_of(const e2e_way *way, int64_t max_pos, int all)
{
    return IFN_SIZED(ifn_context_params, .max_pos = max_pos, .graph = way->graph,
                     .activations = way->activations, .kv = way->kv, .all_logits = all);
}

ifn_status e2e_engine_open(e2e_engine *self, const ifn_model *model, ifn_backend *backend,
                           const e2e_way *way, const e2e_codes *codes, ifn_error *err)
{
    const ifn_context_params params = params_of(way, 1, 1);
    *self = (e2e_engine){.model = model, .way = *way};
    IFN_TRY(conform_poisoned_open(backend, &self->poison, err));
    if (way->is_forced) {
        const tap_hooks hooks = {
            .cookie = &self->forced, .after = e2e_force, .is_mute = &self->forced.is_filling};
        self->forced.codes = codes;
        IFN_TRY(conform_tap_open(self->poison, model, &hooks, &self->tap, err));
    }
    return ifn_weights_open(model, self->tap ? self->tap : self->poison,
                            ifn_context_uses(model, &params), NULL, NULL, &self->weights, err);
}

void e2e_engine_close(e2e_engine *self)
{
    ifn_weights_unref(self->weights);
    ifn_backend_close(self->tap);
    ifn_backend_close(self->poison);
    self->weights = NULL;
    self->tap = self->poison = NULL;
}

int64_t e2e_chunk_size(const e2e_chunks *chunks, int64_t i, int64_t left)
{
    const int64_t last = chunks->n - 1;
    const int64_t size = chunks->n > 0 ? chunks->sizes[i < last ? i : last] : 0;
    return size > 0 && size < left ? size : left;
}

static ifn_status feed(e2e_engine *self, ifn_context *context, const ifn_token *ids, int64_t n,
                       const e2e_chunks *chunks, float *logits, ifn_error *err)
{
    const int64_t n_vocab = ifn_model_hparams(self->model)->n_vocab;
    for (int64_t at = 0, i = 0; at < n; i++) {
        const int64_t size = e2e_chunk_size(chunks, i, n - at);
        if (self->tap)
            conform_tap_seek(self->tap, self->way.kv == IFN_KV_OFF ? 0 : at);
        IFN_TRY(ifn_context_eval_all(context, ids + at, (size_t)size, logits + at * n_vocab, err));
        at += size;
    }
    return IFN_OK;
}

ifn_status e2e_engine_run(e2e_engine *self, const ifn_token *ids, int64_t n,
                          const e2e_chunks *chunks, float *logits, ifn_error *err)
{
    const ifn_context_params params = params_of(&self->way, n, 1);
    ifn_context *context = NULL;
    IFN_TRY(ifn_context_open(self->weights, &params, NULL, &context, err));
    const ifn_status status = feed(self, context, ids, n, chunks, logits, err);
    ifn_context_close(context);
    return status;
}

/* Evaluates one chunk of n ids and returns the logits of its last position. */
static ifn_status step_to(e2e_engine *self, ifn_context *context, const ifn_token *ids, int64_t n,
                          float *logits, ifn_error *err)
{
    const int64_t at = ifn_context_position(context);
    if (self->tap)
        conform_tap_seek(self->tap, at);
    IFN_TRY(ifn_context_eval(context, ids + at, (size_t)n, err));
    return ifn_context_logits(context, logits, err);
}

static ifn_status open_long(e2e_engine *self, int64_t n, ifn_context **context, float **logits,
                            ifn_error *err)
{
    const ifn_context_params params = params_of(&self->way, n, 0);
    *logits = malloc((size_t)ifn_model_hparams(self->model)->n_vocab * sizeof **logits);
    return *logits ? ifn_context_open(self->weights, &params, NULL, context, err)
                   : ifn_fail(err, IFN_ERR_NOMEM, "out of memory for a row of logits");
}

ifn_status e2e_engine_hear(e2e_engine *self, const ifn_token *ids, int64_t n,
                           const e2e_chunks *chunks,
                           void (*hear)(void *cookie, int64_t position, const float *logits),
                           void *cookie, ifn_error *err)
{
    ifn_context *context = NULL;
    float *logits;
    ifn_status status = open_long(self, n, &context, &logits, err);
    for (int64_t at = 0, i = 0; status == IFN_OK && at < n; i++) {
        const int64_t size = e2e_chunk_size(chunks, i, n - at);
        status = step_to(self, context, ids, size, logits, err);
        at += size;
        if (status == IFN_OK)
            hear(cookie, at - 1, logits);
    }
    ifn_context_close(context);
    free(logits);
    return status;
}

ifn_status e2e_engine_pick(e2e_engine *self, const ifn_token *ids, int64_t n, const int64_t *steps,
                           int64_t n_steps, float *logits, ifn_error *err)
{
    const int64_t n_vocab = ifn_model_hparams(self->model)->n_vocab;
    ifn_context *context = NULL;
    float *unread;
    ifn_status status = open_long(self, n, &context, &unread, err);
    for (int64_t i = 0; status == IFN_OK && i < n_steps; i++) {
        const int64_t left = steps[i] - ifn_context_position(context);
        self->forced.is_filling = true;
        if (left > 0)
            status = step_to(self, context, ids, left, unread, err);
        self->forced.is_filling = false;
        if (status == IFN_OK)
            status = step_to(self, context, ids, 1, logits + i * n_vocab, err);
    }
    ifn_context_close(context);
    free(unread);
    return status;
}

typedef struct sweep {
    const ifn_token *ids, *follow;
    int64_t n_prompt, n_new, n_done;
    ifn_token *chosen;
    float *logits;
} sweep;

static ifn_status go_on(e2e_engine *self, ifn_context *context, sweep *w, ifn_error *err)
{
    const int64_t n_vocab = ifn_model_hparams(self->model)->n_vocab;
    ifn_sampler greedy = IFN_SAMPLER_INIT;
    IFN_TRY(ifn_sampler_init(&greedy, &IFN_SIZED(ifn_sampling, .temperature = 0), err));
    for (; w->n_done < w->n_new;) {
        const int64_t i = w->n_done;
        const ifn_token *const next = i == 0 ? w->ids : &w->chosen[i - 1];
        const int64_t n = i == 0 ? w->n_prompt : 1;
        if (self->tap)
            conform_tap_seek(self->tap,
                             self->way.kv == IFN_KV_OFF ? 0 : ifn_context_position(context));
        IFN_TRY(ifn_context_eval(context, next, (size_t)n, err));
        IFN_TRY(ifn_context_logits(context, w->logits + i * n_vocab, err));
        IFN_TRY(ifn_context_sample(context, &greedy, &w->chosen[i], NULL, err));
        w->n_done++;
        if (w->follow && w->chosen[i] != w->follow[w->n_prompt + i])
            break;
    }
    return IFN_OK;
}

ifn_status e2e_engine_generate(e2e_engine *self, const ifn_token *ids, int64_t n_prompt,
                               int64_t n_new, const ifn_token *follow, ifn_token *chosen,
                               float *logits, int64_t *n_done, ifn_error *err)
{
    const ifn_context_params params = params_of(&self->way, n_prompt + n_new, 0);
    sweep w = {ids, follow, n_prompt, n_new, 0, chosen, logits};
    ifn_context *context = NULL;
    *n_done = 0;
    IFN_TRY(ifn_context_open(self->weights, &params, NULL, &context, err));
    const ifn_status status = go_on(self, context, &w, err);
    ifn_context_close(context);
    *n_done = w.n_done;
    return status;
}
