/* generate: streams the continuation of a prompt, or the answers of a chat. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "chat.h"
#include "chat_ids.h"
#include "commands.h"
#include "continuation.h"
#include "generate_options.h"
#include "generation.h"
#include "ids.h"
#include "machine.h"
#include "messages.h"
#include "observers.h"
#include "page_sizes.h"
#include "progress.h"
#include "progression.h"
#include "prompt_list.h"
#include "session.h"
#include "shipped.h"
#include "signals.h"
#include "text.h"

enum { DEFAULT_BATCH = 8 };

typedef struct step {
    ifn_token id;
    float prob;
} step;

/* One run of the command. */
typedef struct run {
    const generate_options *options;
    char model[SHIPPED_PATH_BYTES];
    session session;
    ifn_context_params params;
    generation_size size;
    text prompt_text;          /* empty: ids were given */
    ifn_tokens prompt;         /* of a chat: all that was said */
    prompt_list prompts;       /* of a file; empty: none was given */
    size_t n_evaluated;        /* of the prompt, for this text */
    const chat_template *chat; /* NULL: no chat */
    ifn_token end_of_turn;     /* of a chat */
    uint64_t n_answers;        /* each draws its own numbers */
    step *steps;
    size_t n_steps, step_room;
    continuation answer;
    bool is_turn_over; /* of a chat: the mark that ends it has come */
    generation_stop stop;
    metrics times;
    int unwritten; /* errno of standard output when it failed */
    output trace;
    bool is_writing; /* the trace, when it is opened and at the end */
} run;

static ifn_status find_model(run *r, ifn_error *err)
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

static ifn_status read_prompt(run *r, ifn_error *err)
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

static ifn_status find_template(run *r, ifn_error *err)
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

/* A chat may fill the context. */
static ifn_status fit(run *r, int64_t trained, ifn_error *err)
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

/* As many as there are prompts, up to --batch. */
static int32_t n_sequences(const run *r)
{
    const int64_t most = r->options->batch ? r->options->batch : DEFAULT_BATCH;
    return (int32_t)(r->prompts.n < (size_t)most ? (int64_t)r->prompts.n : most);
}

static ifn_status fit_context(run *r, ifn_error *err)
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

/* The one refusal that has flags to mend it. */
static ifn_status check_memory(run *r, ifn_error *err)
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

/* Before the work begins that would be lost. */
static ifn_status open_trace(run *r, ifn_error *err)
{
    if (!r->options->trace)
        return IFN_OK;
    r->is_writing = 1;
    IFN_TRY(output_open(&r->trace, r->options->trace, err));
    r->is_writing = 0;
    return IFN_OK;
}

static ifn_status prepare(run *r, ifn_error *err)
{
    const generate_options *o = r->options;
    IFN_TRY(find_model(r, err));
    IFN_TRY(session_open_model(&r->session, r->model, err));
    if (!o->quiet)
        session_warn(&r->session, INFERNO);
    const int wants_trace = o->trace || o->ceilings || observers_log_is_wanted();
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
    progress bar;
    progress_init(&bar, "preparing weights", progress_terminal(o->quiet));
    const ifn_progress listener = progress_listener(&bar);
    const ifn_status status = session_open_context(&r->session, &r->params, &listener, err);
    progress_clear(&bar);
    return status;
}

/* An ifn_text_sink: what goes into JSON is not shown. */
static ifn_status show(void *cookie, const char *data, size_t bytes)
{
    run *r = cookie;
    if (r->options->json || (fwrite(data, 1, bytes, stdout) == bytes && fflush(stdout) == 0))
        return IFN_OK;
    r->unwritten = errno;
    return IFN_ERR_IO;
}

static bool is_stopped(void *cookie)
{
    const run *r = cookie;
    return r->answer.is_stopped || r->is_turn_over || (r->chat && signals_is_interrupted());
}

/* At a terminal the text is whole: what was given is dim, what follows is not. */
static ifn_status echo_prompt(run *r)
{
    const generate_options *o = r->options;
    const bool is_dim = !progress_is_plain();
    if (o->json || o->quiet || r->prompt_text.bytes == 0 || !isatty(STDOUT_FILENO))
        return IFN_OK;
    fputs(is_dim ? "\x1b[2m" : "", stdout);
    IFN_TRY(show(r, r->prompt_text.data, r->prompt_text.bytes));
    fputs(is_dim ? "\x1b[0m" : "", stdout);
    return IFN_OK;
}

static void tell_seed(const run *r)
{
    const generate_options *o = r->options;
    if (o->is_random && !o->json && !o->quiet)
        message_note(INFERNO, "seed: %" PRId64, o->seed);
}

static void tell_speed(const run *r)
{
    const generate_options *o = r->options;
    if (o->json || o->quiet || o->metrics || r->times.n == 0 || !isatty(STDERR_FILENO))
        return;
    message_note(INFERNO, "prompt: %zu tokens in %.1f ms; %" PRId64 " tokens at %.1f per second",
                 r->n_evaluated, metrics_first_ms(&r->times), r->times.n,
                 metrics_decode_rate(&r->times));
}

static ifn_status keep_step(run *r, step new_step, ifn_error *err)
{
    step *const steps = array_grow(r->steps, &r->step_room, r->n_steps + 1, sizeof *steps);
    if (!steps)
        return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu steps", r->n_steps + 1);
    r->steps = steps;
    r->steps[r->n_steps++] = new_step;
    return IFN_OK;
}

static bool is_end(const run *r, ifn_token id)
{
    return !r->options->ignore_eos &&
           (ifn_tokenizer_is_end(r->session.tokenizer, id) || id == r->end_of_turn);
}

static ifn_status hear_id(void *cookie, ifn_token id, float prob, ifn_error *err)
{
    run *r = cookie;
    r->is_turn_over |= r->chat && is_end(r, id);
    IFN_TRY(keep_step(r, (step){id, prob}, err));
    return r->is_turn_over ? IFN_OK : continuation_push(&r->answer, id, err);
}

/* What all prompts have in common. */
static generation_params common_params(const run *r)
{
    const generate_options *o = r->options;
    return (generation_params){
        .how = {.bytes = sizeof(ifn_sampling),
                .temperature = (float)o->temp,
                .top_k = (int32_t)o->top_k,
                .top_p = (float)o->top_p,
                .min_p = (float)o->min_p,
                .seed = (uint64_t)o->seed + r->n_answers,
                .repeat = (float)o->repeat,
                .frequency = (float)o->frequency,
                .presence = (float)o->presence},
        .n_recent = o->repeat_last_n,
        .ignore_eos = o->ignore_eos,
        .session = &r->session,
        .context = &r->params,
    };
}

static ifn_status continue_prompts(run *r, ifn_error *err)
{
    const generation_params how = common_params(r);
    r->prompts.show = show;
    r->prompts.cookie = r;
    IFN_TRY(prompt_list_generate(&r->prompts, &how, &r->options->stop, err));
    if (!r->options->json && !r->options->quiet)
        prompt_list_note_pages(&r->prompts, &r->session, &r->params);
    return IFN_OK;
}

static ifn_status continue_text(run *r, ifn_error *err)
{
    const generate_options *o = r->options;
    generation_params params = common_params(r);
    params.prompt = r->prompt.ids;
    params.n_prompt = r->prompt.n;
    params.size = r->size;
    params.listener = hear_id;
    params.is_over = is_stopped;
    params.cookie = r;
    const text *const whole = &r->answer.text;
    continuation_begin(&r->answer, r->session.tokenizer);
    r->n_evaluated = r->prompt.n - (size_t)ifn_context_position(r->session.context);
    IFN_TRY(progression_run(&params, &r->stop, &r->times, err));
    IFN_TRY(continuation_end(&r->answer, err));
    const int open_line = whole->bytes > 0 && whole->data[whole->bytes - 1] != '\n';
    if (!o->json && open_line)
        putchar('\n');
    fflush(stdout);
    tell_speed(r);
    return IFN_OK;
}

/* What is not the end of the answer: that comes from the template. */
static ifn_status keep_answer(run *r, ifn_error *err)
{
    for (size_t i = 0; i < r->n_steps; i++)
        if (i + 1 < r->n_steps || !is_end(r, r->steps[i].id))
            IFN_TRY(ifn_tokens_append(&r->prompt, r->steps[i].id, err));
    return IFN_OK;
}

/* Of chat_params. An interrupt ends the answer only. */
static ifn_status answer(void *cookie, int *is_full, ifn_error *err)
{
    run *r = cookie;
    const int64_t limit = r->params.max_pos;
    IFN_TRY(generation_fit(limit, limit, r->prompt.n, r->options->n, &r->size, err));
    r->n_steps = 0;
    r->is_turn_over = 0;
    r->times = (metrics){0};
    signals_catch_interrupt(1);
    const ifn_status status = continue_text(r, err);
    signals_catch_interrupt(0);
    IFN_TRY(status);
    r->n_answers++;
    *is_full = r->stop == STOP_CONTEXT;
    return keep_answer(r, err);
}

static ifn_status converse(run *r, ifn_error *err)
{
    const chat_params params = {.tokenizer = r->session.tokenizer,
                                .how = r->chat,
                                .system = r->options->system,
                                .no_thoughts = r->options->no_think,
                                .max_pos = r->params.max_pos,
                                .ids = &r->prompt,
                                .answer = answer,
                                .cookie = r};
    return chat_run(&params, err);
}

static ifn_status generate(run *r, ifn_error *err)
{
    tell_seed(r);
    if (r->chat)
        return converse(r, err);
    if (r->options->prompts)
        return continue_prompts(r, err);
    IFN_TRY(echo_prompt(r));
    return continue_text(r, err);
}

static void print_steps(const run *r, json_writer *json)
{
    json_key(json, "steps");
    json_begin_array(json);
    for (size_t i = 0; i < r->n_steps; i++) {
        json_begin_object(json);
        json_key(json, "id");
        json_put_int(json, r->steps[i].id);
        json_key(json, "prob");
        json_put_float(json, r->steps[i].prob);
        json_end_object(json);
    }
    json_end_array(json);
}

static void put_member(json_writer *json, const char *key, const char *value)
{
    json_key(json, key);
    json_put_string(json, value);
}

static void print_text(const run *r, json_writer *json)
{
    json_key(json, "prompt_ids");
    ids_json(json, r->prompt.ids, r->prompt.n);
    json_key(json, "ids");
    json_begin_array(json);
    for (size_t i = 0; i < r->n_steps; i++)
        json_put_int(json, r->steps[i].id);
    json_end_array(json);
    json_key(json, "text");
    json_put_bytes(json, r->answer.text.data, r->answer.text.bytes);
    print_steps(r, json);
    put_member(json, "stop", generation_stop_name(r->stop));
}

static void print_json(const run *r)
{
    json_writer json = {.out = stdout};
    json_begin_object(&json);
    put_member(&json, "model", r->model);
    put_member(&json, "backend", ifn_backend_expression(r->session.backend));
    put_member(&json, "graph", generate_graph_name((int)r->params.graph));
    put_member(&json, "activations",
               generate_activations_name((int)session_activations(&r->session, &r->params)));
    put_member(&json, "kv", generate_kv_name((int)r->params.kv));
    if (r->options->prompts)
        prompt_list_json(&r->prompts, &json);
    else
        print_text(r, &json);
    if (r->options->temp > 0) {
        json_key(&json, "seed");
        json_put_int(&json, r->options->seed);
    }
    json_key(&json, "metrics");
    json_begin_object(&json);
    if (!r->options->prompts)
        metrics_json(&r->times, &json);
    json_key(&json, "peak_rss_bytes");
    json_put_uint(&json, machine_peak_rss_bytes());
    json_end_object(&json);
    json_end_object(&json);
    json_finish(&json);
}

static ifn_status write_trace(run *r, ifn_error *err)
{
    r->is_writing = 1;
    return observers_write(&r->session, &r->trace, err);
}

static const char *what_helps(const generate_options *o)
{
    return o->n_pages ? "a larger --pages, a smaller --batch or -n"
                      : "--no-prepare, --backend scalar, a smaller --ctx or -n";
}

static void close_run(run *r)
{
    output_discard(&r->trace);
    free(r->steps);
    continuation_free(&r->answer);
    text_free(&r->prompt_text);
    ifn_tokens_free(&r->prompt);
    prompt_list_free(&r->prompts);
    session_close(&r->session);
}

static int tell_end(const run *r, ifn_status status, ifn_error *err)
{
    if (r->unwritten)
        status = ifn_fail(err, IFN_ERR_IO, "standard output: %s", ifn_errno_reason(r->unwritten));
    if (status == IFN_OK)
        return EXIT_DONE;
    return r->unwritten || r->is_writing ? message_unwritten(INFERNO, err)
                                         : message_error(INFERNO, err);
}

int cmd_generate(int argc, char **argv)
{
    generate_options options;
    const int done = generate_options_read(&options, argc, argv);
    if (done >= 0)
        return done;
    run r = {.options = &options, .stop = STOP_LENGTH};
    r.answer = (continuation){.stop = &options.stop, .show = show, .cookie = &r};
    ifn_error err;
    ifn_status status = prepare(&r, &err);
    if (status == IFN_OK && r.size.n > 0)
        status = generate(&r, &err);
    if (status == IFN_OK && options.trace)
        status = write_trace(&r, &err);
    if (status == IFN_OK && options.json)
        print_json(&r);
    if (status == IFN_OK && options.metrics) {
        metrics_print(&r.times, stderr);
        fprintf(stderr, "  peak_rss_bytes: %" PRIu64 "\n", machine_peak_rss_bytes());
    }
    if (status == IFN_OK && !options.quiet)
        observers_report(&r.session, options.ceilings, INFERNO);
    if (status != IFN_OK)
        session_say_what_helps(&r.session, what_helps(&options), &err);
    close_run(&r);
    return tell_end(&r, status, &err);
}
