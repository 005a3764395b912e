#include "served.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base_name.h"
#include "chat_ids.h"
#include "machine.h"
#include "messages.h"
#include "progress.h"

static ifn_status find_model(served *self, ifn_error *err)
{
    const char *const path = self->options->model;
    if (!path)
        return shipped_path("no MODEL given, and the one of the project", SHIPPED_MODEL, self->path,
                            err);
    if (strlen(path) >= sizeof self->path)
        return ifn_fail(err, IFN_ERR_IO, "%.60s...: the path is too long", path);
    memcpy(self->path, path, strlen(path) + 1);
    return IFN_OK;
}

static void choose_name(served *self)
{
    static const char ending[] = ".gguf";
    const char *const file = base_name(self->path);
    const size_t bytes = strlen(file), n = sizeof ending - 1;
    const bool is_ended = bytes > n && strcmp(file + bytes - n, ending) == 0;
    memcpy(self->name, file, bytes + 1);
    if (is_ended)
        self->name[bytes - n] = '\0';
}

/* Finds the chat template. A model without one still serves completions; a template that was asked for must fit. */
static ifn_status find_chat(served *self, ifn_error *err)
{
    const int asked = self->options->chat_template;
    ifn_status status = chat_template_find(self->session.gguf, asked, &self->chat, err);
    if (status == IFN_OK)
        status = chat_ids_end(self->session.tokenizer, self->chat, &self->end_of_turn, err);
    if (status == IFN_OK && self->options->no_think && !self->chat->no_thoughts)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--no-think: chat template %s has no thoughts to leave out, expected qwen3",
                        self->chat->name);
    if (status == IFN_OK || asked != CHAT_TEMPLATE_OF_MODEL)
        return status;
    self->chat = NULL;
    self->no_chat = *err;
    return IFN_OK;
}

/* Returns true if only one sequence is possible: several need a KV cache and the fused graph. */
static bool is_for_one(const serve_options *o)
{
    return o->kv == IFN_KV_OFF || o->graph == IFN_GRAPH_PRIMITIVE;
}

/* Chooses the number of sequences: the one that was asked for; else at most SERVED_BATCH, and so many that they fit
 * into half of the memory, as weights need memory, too. */
static void choose_batch(served *self)
{
    const serve_options *const o = self->options;
    ifn_error unused;
    ifn_plan plan = IFN_PLAN_INIT;
    ifn_context_params *const p = &self->params;
    p->n_sequences = (int32_t)(o->batch > 0 ? o->batch : is_for_one(o) ? 1 : SERVED_BATCH);
    if (o->batch > 0)
        return;
    ifn_context_params half = *p;
    half.max_memory /= 2;
    for (; half.n_sequences > 1; half.n_sequences--)
        if (ifn_context_plan(self->session.model, self->session.backend, &half, &plan, &unused) ==
            IFN_OK)
            break;
    p->n_sequences = half.n_sequences;
}

static ifn_status open_context(served *self, ifn_error *err)
{
    const serve_options *const o = self->options;
    const int64_t trained = ifn_model_hparams(self->session.model)->n_ctx_train;
    progress bar;
    self->params = IFN_SIZED(
        ifn_context_params, .max_pos = o->ctx > 0 ? o->ctx : trained, .graph = (ifn_graph)o->graph,
        .activations = (ifn_activations)o->activations, .kv = (ifn_kv)o->kv,
        .max_memory = o->max_memory > 0 ? (uint64_t)o->max_memory : machine_memory_bytes());
    choose_batch(self);
    self->session.no_prepare = o->no_prepare;
    self->session.cache = o->cache;
    self->session.program = o->quiet ? NULL : INFERNO;
    progress_init(&bar, "preparing weights", progress_terminal(o->quiet));
    const ifn_progress listener = progress_listener(&bar);
    const ifn_status status = session_open_context(&self->session, &self->params, &listener, err);
    progress_clear(&bar);
    return status;
}

ifn_status served_open(served *self, const serve_options *options, ifn_error *err)
{
    self->options = options;
    self->since = (int64_t)time(NULL);
    IFN_TRY(find_model(self, err));
    choose_name(self);
    self->called = options->alias ? options->alias : self->name;
    IFN_TRY(session_open_model(&self->session, self->path, err));
    IFN_TRY(session_open_backend(&self->session, options->backend, options->threads, err));
    if (!options->quiet) {
        session_warn(&self->session, INFERNO);
        session_note_threads(&self->session, INFERNO);
    }
    IFN_TRY(find_chat(self, err));
    return open_context(self, err);
}

void served_close(served *self)
{
    session_close(&self->session);
}
