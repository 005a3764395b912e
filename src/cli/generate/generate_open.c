/* Opens all that `generate` needs before the first token: model, prompt, context, trace. */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "chat_ids.h"
#include "generate_run.h"
#include "ids.h"
#include "machine.h"
#include "messages.h"
#include "observers.h"
#include "page_sizes.h"
#include "progress.h"

enum { DEFAULT_BATCH = 8 };

static ifn_status find_model(generate_run *r, ifn_error *err)
{
    const char *path = r->options->model;
    if (!path)
        return shipped_path("no MODEL given, and the one of the project", SHIPPED_MODEL, r->model,
                            err);
    if (strlen(path) >= sizeof r->model)
        return ifn_fail(err, IFN_ERR_IO, "%.60s...: the path is too long", path);
    memcpy(r->model, path, strlen(path) + 1);
    return IFN_OK;
}

static ifn_status read_prompt(generate_run *r, ifn_error *err)
{
    const generate_options *o = r->options;
    const int64_t n_vocab = ifn_model_hparams(r->session.model)->n_vocab;
    if (o->prompts)
        return prompt_list_read(&r->prompts, o->prompts, r->session.tokenizer, err);
    if (o->ids) {
        IFN_TRY(ids_parse(o->ids, &r->prompt, err));
        return ids_check(&r->prompt, n_vocab, err);
    }
    text *const input = &r->prompt_text;
    if (o->file)
        IFN_TRY(text_read(input, o->file, err));
    else
        IFN_TRY(text_append(input, o->prompt, strlen(o->prompt), err));
    return ifn_tokenize(r->session.tokenizer, input->data, input->bytes, 0, &r->prompt, err);
}

static ifn_status find_template(generate_run *r, ifn_error *err)
{
    const generate_options *o = r->options;
    IFN_TRY(chat_template_find(r->session.gguf, o->chat_template, &r->chat, err));
    IFN_TRY(chat_ids_end(r->session.tokenizer, r->chat, &r->end_of_turn, err));
    if (o->no_think && !r->chat->no_thoughts)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "--no-think: chat template %s has no thoughts to leave out, expected qwen3",
                        r->chat->name);
    return IFN_OK;
}

/* Computes the size of the context; a chat may fill it. */
static ifn_status fit(generate_run *r, int64_t trained, ifn_error *err)
{
    const generate_options *o = r->options;
    const int64_t limit = o->ctx > 0 ? o->ctx : trained;
    if (o->prompts)
        return prompt_list_fit(&r->prompts, trained, o->ctx, o->n, &r->size, err);
    if (!r->chat)
        return generation_fit(trained, o->ctx, r->prompt.n, o->n, &r->size, err);
    r->size = (generation_size){.max_pos = limit, .n = limit};
    return IFN_OK;
}

/* Returns the number of sequences: one per prompt, up to --batch. */
static int32_t n_sequences(const generate_run *r)
{
    const int64_t most = r->options->batch ? r->options->batch : DEFAULT_BATCH;
    return (int32_t)(r->prompts.n < (size_t)most ? (int64_t)r->prompts.n : most);
}

static ifn_status fit_context(generate_run *r, ifn_error *err)
{
    const generate_options *o = r->options;
    const int64_t trained = ifn_model_hparams(r->session.model)->n_ctx_train;
    IFN_TRY(fit(r, trained, err));
    if (!o->quiet)
        generation_note(&r->size, trained, INFERNO);
    r->params = IFN_SIZED(
        ifn_context_params, .max_pos = r->size.max_pos, .graph = (ifn_graph)o->graph,
        .activations = (ifn_activations)o->activations, .kv = (ifn_kv)o->kv,
        .max_memory = o->max_memory > 0 ? (uint64_t)o->max_memory : machine_memory_bytes(),
        .n_sequences = n_sequences(r), .page_rows = page_size_of(o->page_size),
        .n_pages = o->n_pages);
    return IFN_OK;
}

/* Refuses a plan that exceeds --max-memory, with the options that need less memory. */
static ifn_status check_memory(generate_run *r, ifn_error *err)
{
    ifn_plan plan = IFN_PLAN_INIT;
    const ifn_status status =
        ifn_context_plan(r->session.model, r->session.backend, &r->params, &plan, err);
    const uint64_t most = r->params.max_memory;
    if (status == IFN_OK || most == 0 || plan.total_bytes <= most)
        return status;
    return ifn_fail(err, IFN_ERR_ARGUMENT,
                    "%s: %" PRIu64 " bytes for a context of %" PRId64
                    " tokens, expected at most %" PRIu64
                    " (--max-memory); a smaller --ctx or -n needs less",
                    r->model, plan.total_bytes, r->params.max_pos, most);
}

/* Opens the trace file before the run, so that a wrong path does not lose its work. */
static ifn_status open_trace(generate_run *r, ifn_error *err)
{
    if (!r->options->trace)
        return IFN_OK;
    r->is_writing = 1;
    IFN_TRY(output_open(&r->trace, r->options->trace, err));
    r->is_writing = 0;
    return IFN_OK;
}

ifn_status generate_open(generate_run *r, ifn_error *err)
{
    const generate_options *o = r->options;
    IFN_TRY(find_model(r, err));
    IFN_TRY(session_open_model(&r->session, r->model, err));
    if (!o->quiet)
        session_warn(&r->session, INFERNO);
    const bool wants_trace = o->trace || o->ceilings || observers_log_is_wanted();
    IFN_TRY(observers_open(&r->session, o->backend, o->threads, wants_trace, err));
    if (!o->quiet)
        session_note_threads(&r->session, INFERNO);
    observers_listen(&r->session);
    IFN_TRY(o->chat ? find_template(r, err) : read_prompt(r, err));
    IFN_TRY(fit_context(r, err));
    IFN_TRY(open_trace(r, err));
    if (r->size.n == 0)
        return IFN_OK;
    IFN_TRY(check_memory(r, err));
    r->session.no_prepare = o->no_prepare;
    r->session.cache = o->cache;
    r->session.program = o->quiet ? NULL : INFERNO;
    progress bar;
    progress_init(&bar, "preparing weights", progress_terminal(o->quiet));
    const ifn_progress listener = progress_listener(&bar);
    const ifn_status status = session_open_context(&r->session, &r->params, &listener, err);
    progress_clear(&bar);
    return status;
}
