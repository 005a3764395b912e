#include "session.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "plugin_watch.h"
#include "signals.h"
#include "supervisor.h"

void session_warn(const session *self, const char *program)
{
    const char *first = self->tokenizer ? ifn_tokenizer_warning(self->tokenizer, 0) : NULL;
    int n = 0;
    while (first && ifn_tokenizer_warning(self->tokenizer, n))
        n++;
    if (n == 1)
        message_note(program, "warning: %s: %s", ifn_gguf_path(self->gguf), first);
    else if (n > 1)
        message_note(program, "warning: %s: %s (and %d more: inferno inspect)",
                     ifn_gguf_path(self->gguf), first, n - 1);
}

void session_note_threads(const session *self, const char *program)
{
    int32_t wanted;
    const int32_t n = ifn_parallel_threads(self->backend, &wanted);
    if (n < wanted)
        message_note(program, "note: %d thread%s instead of %d: the system starts no more", (int)n,
                     n == 1 ? "" : "s", (int)wanted);
}

/* Weights, prepared or not, and the context lie in a device's memory, so options that save host memory do not help
 * there. */
void session_say_what_helps(const session *self, const char *options, ifn_error *err)
{
    const ifn_error before = *err;
    const bool is_device = self && self->backend && ifn_backend_is_device(self->backend);
    if (err->status == IFN_ERR_NOMEM)
        (void)ifn_fail(err, before.status, "%s; less is needed with %s", before.text,
                       is_device ? "a smaller --ctx, or without the device: --backend scalar"
                                 : options);
}

ifn_status session_open_tokenizer(session *self, const char *path, ifn_error *err)
{
    IFN_TRY(ifn_gguf_open(path, NULL, &self->gguf, err));
    signals_mapped(self->gguf);
    return ifn_tokenizer_open(self->gguf, NULL, &self->tokenizer, err);
}

ifn_status session_open_model(session *self, const char *path, ifn_error *err)
{
    IFN_TRY(session_open_tokenizer(self, path, err));
    return ifn_model_open(self->gguf, NULL, &self->model, err);
}

/* Returns the wrapper of the chain that cuts calls into parts; NULL: none. */
static const ifn_backend *cutter_of(const session *self)
{
    for (const ifn_backend *b = self->backend; b->inner; b = b->inner)
        if (b->desc->lanes)
            return b;
    return NULL;
}

ifn_status session_open_backend(session *self, const char *expression, int64_t n_threads,
                                ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_threads = (int32_t)n_threads);
    IFN_TRY(plugin_watch_open(expression, &options, &self->backend, err));
    if (n_threads <= 0)
        return IFN_OK;
    const char *const opened = ifn_backend_expression(self->backend);
    if (!session_has_threads(self))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--threads %d: backend '%s' has no threads, expected one such as "
                        "parallel:simd",
                        (int)n_threads, opened);
    const ifn_backend *const cutter = cutter_of(self);
    const int32_t n_lanes = cutter ? ifn_backend_n_lanes(cutter->inner) : 0; /* of one context */
    if (cutter && n_lanes != n_threads)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--threads %d: backend '%s' asks for %d, expected the number once",
                        (int)n_threads, opened, (int)n_lanes);
    return IFN_OK;
}

int session_has_threads(const session *self)
{
    const ifn_backend *leaf = self->backend;
    while (leaf->inner)
        leaf = leaf->inner;
    /* Built-in backends have no threads of their own; a plugin may have some. */
    return cutter_of(self) != NULL || session_find_backend(leaf->desc->name) == NULL;
}

/* Returns the memory left for prepared weights. The plan includes the f32 copies of the primitive graph, which count as
 * weights here. */
static uint64_t left_for_weights(const ifn_plan *plan, uint64_t max_memory)
{
    const uint64_t left = max_memory - (plan->total_bytes - plan->f32_weight_bytes);
    return max_memory == 0 ? 0 : left > 0 ? left : 1;
}

static void note_cache(void *cookie, const char *text)
{
    const session *const self = cookie;
    if (self->program)
        message_note(self->program, "note: %s", text);
}

/* Registers the temporary file, so that a signal handler removes it before the process ends. */
static void note_temporary(void *cookie, const char *temporary)
{
    (void)cookie;
    signals_temporary(temporary);
}

/* Makes the path of the cache, which the caller frees; NULL: no cache. */
static ifn_status name_cache(const session *self, char **out, ifn_error *err)
{
    static const char suffix[] = ".cache";
    *out = NULL;
    if (!self->cache)
        return IFN_OK;
    const bool is_beside = !*self->cache;
    const char *const stem = is_beside ? ifn_gguf_path(self->gguf) : self->cache;
    const size_t bytes = strlen(stem) + sizeof suffix;
    *out = malloc(bytes);
    if (!*out)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: out of memory", stem);
    snprintf(*out, bytes, "%s%s", stem, is_beside ? suffix : "");
    return IFN_OK;
}

ifn_status session_open_context(session *self, const ifn_context_params *params,
                                const ifn_progress *progress, ifn_error *err)
{
    ifn_plan plan = IFN_PLAN_INIT;
    IFN_TRY(ifn_context_plan(self->model, self->backend, params, &plan, err));
    char *cache;
    IFN_TRY(name_cache(self, &cache, err));
    const ifn_weights_params how = IFN_SIZED(
        ifn_weights_params, .uses = ifn_context_uses(self->model, params), .raw = self->no_prepare,
        .max_bytes = left_for_weights(&plan, params->max_memory), .progress = progress,
        .cache = cache, .note = note_cache, .writes = note_temporary, .cookie = self);
    supervisor_enter("while weights were prepared", 0);
    const ifn_status status =
        ifn_weights_open_with(self->model, self->backend, &how, NULL, &self->weights, err);
    supervisor_leave();
    free(cache);
    IFN_TRY(status);
    return ifn_context_open(self->weights, params, NULL, &self->context, err);
}

void session_close_context(session *self)
{
    ifn_context_close(self->context);
    supervisor_enter("while its weights were released", 0);
    ifn_weights_unref(self->weights);
    supervisor_leave();
    self->context = NULL;
    self->weights = NULL;
}

void session_close(session *self)
{
    ifn_context_close(self->context);
    supervisor_enter("while it was closed", 1);
    ifn_weights_unref(self->weights);
    plugin_watch_close(self->backend);
    ifn_model_close(self->model);
    ifn_tokenizer_close(self->tokenizer);
    signals_mapped(NULL);
    ifn_gguf_close(self->gguf);
    *self = (session){0};
}

uint64_t session_kv_row_bytes(const session *self, ifn_kv kv)
{
    const ifn_hparams *const h = ifn_model_hparams(self->model);
    return (uint64_t)(2 * h->n_layers * h->n_kv_heads *
                      ifn_cache_row_bytes(ifn_kv_dtype(kv), h->head_dim));
}

ifn_activations session_activations(const session *self, const ifn_context_params *params)
{
    if (params->activations != IFN_ACTIVATIONS_AUTO)
        return params->activations;
    const int q8 = params->graph == IFN_GRAPH_FUSED && ifn_model_is_quantized(self->model);
    return q8 ? IFN_ACTIVATIONS_Q8 : IFN_ACTIVATIONS_F32;
}

const ifn_backend_desc *session_find_backend(const char *name)
{
    size_t n;
    const ifn_backend_desc *const *list = ifn_backend_list(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i]->name, name) == 0)
            return list[i];
    return NULL;
}
