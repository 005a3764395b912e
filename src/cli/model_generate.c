/*
 * model-generate: takes a model, a prompt and a number of tokens, and prints everything about the run on standard
 * output. It is also the shortest complete program around the library: open, tokenize, evaluate, choose, detokenize.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "escape.h"
#include "generation.h"
#include "ids.h"
#include "messages.h"
#include "model_generate_options.h"
#include "observers.h"
#include "progression.h"
#include "session.h"
#include "signals.h"
#include "text.h"

#define PROGRAM MODEL_GENERATE

/* The state of a run and its results. */
typedef struct run {
    const model_generate_options *options;
    session session;
    ifn_tokens prompt, ids;
    text text;
    ifn_detokenizer detokenizer;
    metrics times;
} run;

static ifn_status hear_id(void *cookie, ifn_token id, float prob, ifn_error *err)
{
    run *r = cookie;
    (void)prob;
    IFN_TRY(ifn_tokens_append(&r->ids, id, err));
    return ifn_detokenizer_push(&r->detokenizer, id, text_sink, &r->text, err);
}

static ifn_status fit_context(run *r, generation_size *size, ifn_error *err)
{
    const int64_t trained = ifn_model_hparams(r->session.model)->n_ctx_train;
    IFN_TRY(generation_fit(trained, 0, r->prompt.n, r->options->n, size, err));
    generation_note(size, trained, PROGRAM);
    return IFN_OK;
}

/* Returns simd, or scalar on a processor that supports no level of simd. */
static const char *default_backend(void)
{
    ifn_backend *simd;
    const bool is_usable = ifn_backend_open("simd", NULL, &simd, NULL) == IFN_OK;
    ifn_backend_close(simd);
    return is_usable ? "simd" : "scalar";
}

static void print_quoted(const char *label, const char *data, size_t bytes)
{
    printf("%s: \"", label);
    escape_c(stdout, data, bytes);
    puts("\"");
}

static void print_ids(const char *label, const ifn_tokens *ids)
{
    printf("%s (%zu): ", label, ids->n);
    ids_print(stdout, ids->ids, ids->n);
    putchar('\n');
}

/* Prints what is known before the computation, so that a waiting user sees that the program runs. */
static void print_prompt(const run *r)
{
    const model_generate_options *o = r->options;
    printf("backend: %s\n", ifn_backend_expression(r->session.backend));
    printf("kv cache: %s\n", o->cached ? "basic" : "off");
    print_quoted("prompt", o->prompt, strlen(o->prompt));
    print_ids("prompt tokens", &r->prompt);
    printf("eos token id: %" PRId32 "\n\n", ifn_tokenizer_eos(r->session.tokenizer));
    fflush(stdout);
}

static ifn_status generate(run *r, ifn_error *err)
{
    const model_generate_options *o = r->options;
    session *s = &r->session;
    IFN_TRY(session_open_model(s, o->model, err));
    session_warn(s, PROGRAM);
    IFN_TRY(observers_open(s, o->backend ? o->backend : default_backend(), o->threads,
                           observers_log_is_wanted(), err));
    session_note_threads(s, PROGRAM);
    observers_listen(s);
    IFN_TRY(ifn_tokenize(s->tokenizer, o->prompt, strlen(o->prompt), 0, &r->prompt, err));
    generation_params params = {.prompt = r->prompt.ids,
                                .n_prompt = r->prompt.n,
                                .how = IFN_SAMPLING_INIT,
                                .listener = hear_id,
                                .cookie = r,
                                .session = s};
    IFN_TRY(fit_context(r, &params.size, err));
    const ifn_context_params context = IFN_SIZED(ifn_context_params, .max_pos = params.size.max_pos,
                                                 .kv = o->cached ? IFN_KV_F32 : IFN_KV_OFF);
    params.context = &context;
    IFN_TRY(session_open_context(s, &context, NULL, err));
    r->detokenizer = IFN_SIZED(ifn_detokenizer);
    ifn_detokenizer_init(&r->detokenizer, s->tokenizer, IFN_DETOKENIZE_CONTINUE);
    print_prompt(r);
    generation_stop stop;
    IFN_TRY(progression_run(&params, &stop, &r->times, err));
    return ifn_detokenizer_flush(&r->detokenizer, text_sink, &r->text, err);
}

static void print_result(const run *r)
{
    print_ids("generated tokens", &r->ids);
    print_quoted("generated text", r->text.data, r->text.bytes);
    metrics_print(&r->times, stdout);
}

int main(int argc, char **argv)
{
    model_generate_options opt;
    message_init();
    signals_init(PROGRAM);
    const int done = model_generate_options_read(&opt, argc, argv);
    if (done >= 0)
        return message_stdout(PROGRAM, done);
    run r = {.options = &opt};
    ifn_error err;
    const ifn_status status = generate(&r, &err);
    if (status == IFN_OK)
        print_result(&r);
    else
        session_say_what_helps(NULL, "--backend scalar, a shorter prompt or fewer new tokens",
                               &err);
    ifn_tokens_free(&r.prompt);
    ifn_tokens_free(&r.ids);
    text_free(&r.text);
    session_close(&r.session);
    return message_stdout(PROGRAM, status == IFN_OK ? EXIT_DONE : message_error(PROGRAM, &err));
}
