/* generate: streams the continuation of a prompt, or the answers of a chat. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "commands.h"
#include "generate_run.h"
#include "machine.h"
#include "messages.h"
#include "observers.h"
#include "progress.h"
#include "progression.h"
#include "signals.h"

/* An ifn_text_sink that prints text, unless the result goes into JSON. */
static ifn_status show(void *cookie, const char *data, size_t bytes)
{
    generate_run *r = cookie;
    if (r->options->json || (fwrite(data, 1, bytes, stdout) == bytes && fflush(stdout) == 0))
        return IFN_OK;
    r->unwritten = errno;
    return IFN_ERR_IO;
}

static bool is_stopped(void *cookie)
{
    const generate_run *r = cookie;
    return r->answer.is_stopped || r->is_turn_over || (r->chat && signals_is_interrupted());
}

/* Prints the prompt, dimmed, before its continuation if standard output is a terminal. */
static ifn_status echo_prompt(generate_run *r)
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

static void tell_seed(const generate_run *r)
{
    const generate_options *o = r->options;
    if (o->is_random && !o->json && !o->quiet)
        message_note(INFERNO, "seed: %" PRId64, o->seed);
}

static void tell_speed(const generate_run *r)
{
    const generate_options *o = r->options;
    if (o->json || o->quiet || o->metrics || r->times.n == 0 || !isatty(STDERR_FILENO))
        return;
    message_note(INFERNO, "prompt: %zu tokens in %.1f ms; %" PRId64 " tokens at %.1f per second",
                 r->n_evaluated, metrics_first_ms(&r->times), r->times.n,
                 metrics_decode_rate(&r->times));
}

static ifn_status keep_step(generate_run *r, generate_step new_step, ifn_error *err)
{
    generate_step *const steps = array_grow(r->steps, &r->step_room, r->n_steps + 1, sizeof *steps);
    if (!steps)
        return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu steps", r->n_steps + 1);
    r->steps = steps;
    r->steps[r->n_steps++] = new_step;
    return IFN_OK;
}

static bool is_end(const generate_run *r, ifn_token id)
{
    return !r->options->ignore_eos &&
           (ifn_tokenizer_is_end(r->session.tokenizer, id) || id == r->end_of_turn);
}

static ifn_status hear_id(void *cookie, ifn_token id, float prob, ifn_error *err)
{
    generate_run *r = cookie;
    r->is_turn_over |= r->chat && is_end(r, id);
    IFN_TRY(keep_step(r, (generate_step){id, prob}, err));
    return r->is_turn_over ? IFN_OK : continuation_push(&r->answer, id, err);
}

/* Returns the parameters that all prompts share. */
static generation_params common_params(const generate_run *r)
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

static ifn_status continue_prompts(generate_run *r, ifn_error *err)
{
    const generation_params how = common_params(r);
    r->prompts.show = show;
    r->prompts.cookie = r;
    IFN_TRY(prompt_list_generate(&r->prompts, &how, &r->options->stop, err));
    if (!r->options->json && !r->options->quiet)
        prompt_list_note_pages(&r->prompts, &r->session, &r->params);
    return IFN_OK;
}

static ifn_status continue_text(generate_run *r, ifn_error *err)
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

/* Appends the answer to the conversation without its end token, which the template adds. */
static ifn_status keep_answer(generate_run *r, ifn_error *err)
{
    for (size_t i = 0; i < r->n_steps; i++)
        if (i + 1 < r->n_steps || !is_end(r, r->steps[i].id))
            IFN_TRY(ifn_tokens_append(&r->prompt, r->steps[i].id, err));
    return IFN_OK;
}

/* The `answer` of chat_params. An interrupt ends the answer only, not the chat. */
static ifn_status answer(void *cookie, bool *is_full, ifn_error *err)
{
    generate_run *r = cookie;
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

static ifn_status converse(generate_run *r, ifn_error *err)
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

static ifn_status generate(generate_run *r, ifn_error *err)
{
    tell_seed(r);
    if (r->chat)
        return converse(r, err);
    if (r->options->prompts)
        return continue_prompts(r, err);
    IFN_TRY(echo_prompt(r));
    return continue_text(r, err);
}

static ifn_status write_trace(generate_run *r, ifn_error *err)
{
    r->is_writing = 1;
    return observers_write(&r->session, &r->trace, err);
}

static const char *what_helps(const generate_options *o)
{
    return o->n_pages ? "a larger --pages, a smaller --batch or -n"
                      : "--no-prepare, --backend scalar, a smaller --ctx or -n";
}

static void close_run(generate_run *r)
{
    output_discard(&r->trace);
    free(r->steps);
    continuation_free(&r->answer);
    text_free(&r->prompt_text);
    ifn_tokens_free(&r->prompt);
    prompt_list_free(&r->prompts);
    session_close(&r->session);
}

static int tell_end(const generate_run *r, ifn_status status, ifn_error *err)
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
    generate_run r = {.options = &options, .stop = STOP_LENGTH};
    r.answer = (continuation){.stop = &options.stop, .show = show, .cookie = &r};
    ifn_error err;
    ifn_status status = generate_open(&r, &err);
    if (status == IFN_OK && r.size.n > 0)
        status = generate(&r, &err);
    if (status == IFN_OK && options.trace)
        status = write_trace(&r, &err);
    if (status == IFN_OK && options.json)
        generate_print_json(&r);
    if (status == IFN_OK && options.metrics) {
        metrics_print(&r.times, stderr);
        if (options.cache && r.session.weights)
            fprintf(stderr, "  weights_prepared: %" PRId64 "\n  weights_from_cache: %" PRId64 "\n",
                    ifn_weights_prepared(r.session.weights),
                    ifn_weights_adopted(r.session.weights));
        fprintf(stderr, "  peak_rss_bytes: %" PRIu64 "\n", machine_peak_rss_bytes());
    }
    if (status == IFN_OK && !options.quiet)
        observers_print(&r.session, options.ceilings, INFERNO);
    if (status != IFN_OK)
        session_say_what_helps(&r.session, what_helps(&options), &err);
    close_run(&r);
    return tell_end(&r, status, &err);
}
