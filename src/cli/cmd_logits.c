/* logits: prints the logits of the next token, as raw f32 or as a table. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "commands.h"
#include "escape.h"
#include "generate_options.h"
#include "ids.h"
#include "messages.h"
#include "not_finite.h"
#include "output.h"
#include "session.h"
#include "topk.h"

enum { N_TOP = 10 };

typedef struct logits_options {
    const char *ids, *backend, *out, *cache;
    int activations, graph, kv;
    bool all, no_prepare, json;
} logits_options;

#define AT(member) offsetof(logits_options, member)
static const arg_option logits_table[] = {
    {.name = "--ids",
     .kind = ARG_STRING,
     .value = "1,2,3",
     .at = AT(ids),
     .help = "the tokens to evaluate; needed"},
    {.name = "--all",
     .kind = ARG_FLAG,
     .at = AT(all),
     .help = "every position; the table then shows the best token of each"},
    GENERATE_OPTION_BACKEND(logits_options),
    GENERATE_OPTION_ACTIVATIONS(logits_options),
    GENERATE_OPTION_GRAPH(logits_options),
    GENERATE_OPTION_KV(logits_options, "the KV cache; default: basic (f32)"),
    GENERATE_OPTION_NO_PREPARE(logits_options),
    GENERATE_OPTION_CACHE(logits_options),
    {.name = "--out",
     .kind = ARG_STRING,
     .value = "FILE",
     .at = AT(out),
     .help = "write raw little-endian f32 [positions, n_vocab]; - is standard output"},
    ARG_JSON(logits_options),
};
#undef AT

const arg_command logits_command = {
    .program = INFERNO,
    .name = "logits",
    .positionals = "MODEL",
    .min_positionals = 1,
    .max_positionals = 1,
    .summary = "Evaluates tokens and prints the best candidates for the next one,\n"
               "or writes all logits to a file.",
    .brief = "what the model thinks comes next, as numbers",
    .examples = "inferno logits model.gguf --ids 1,2,3\n"
                "inferno logits model.gguf --ids 1,2,3 --all --out logits.f32",
    .options = logits_table,
    .n_options = sizeof logits_table / sizeof *logits_table,
};

/* The logits of the last n_rows positions. */
typedef struct result {
    session session;
    ifn_context_params params;
    ifn_tokens ids;
    float *logits; /* [n_rows, n_vocab] */
    int64_t n_rows, n_vocab;
} result;

static ifn_status take_rows(result *r, ifn_error *err)
{
    if ((uint64_t)r->n_rows > SIZE_MAX / sizeof(float) / (uint64_t)r->n_vocab)
        return ifn_fail(err, IFN_ERR_NOMEM, "logits of %" PRId64 " positions do not fit",
                        r->n_rows);
    const size_t bytes = (size_t)r->n_rows * (size_t)r->n_vocab * sizeof(float);
    r->logits = malloc(bytes);
    return r->logits ? IFN_OK
                     : ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu bytes of logits", bytes);
}

static ifn_status check_rows(const result *r, ifn_error *err)
{
    for (int64_t row = 0; row < r->n_rows; row++) {
        const not_finite_run run = {&r->session, &r->params, r->ids.ids,
                                    r->ids.n - (size_t)(r->n_rows - 1 - row)};
        IFN_TRY(not_finite_check(&run, r->logits + row * r->n_vocab, err));
    }
    return IFN_OK;
}

static ifn_status evaluate(result *r, const logits_options *o, const char *path, ifn_error *err)
{
    IFN_TRY(ids_parse(o->ids, &r->ids, err));
    IFN_TRY(session_open_model(&r->session, path, err));
    r->n_vocab = ifn_model_hparams(r->session.model)->n_vocab;
    r->n_rows = o->all ? (int64_t)r->ids.n : 1;
    IFN_TRY(ids_check(&r->ids, r->n_vocab, err));
    IFN_TRY(session_open_backend(&r->session, o->backend, 0, err));
    session_note_threads(&r->session, INFERNO);
    r->session.no_prepare = o->no_prepare;
    r->session.cache = o->cache;
    r->session.program = INFERNO;
    r->params = IFN_SIZED(
        ifn_context_params, .max_pos = (int64_t)r->ids.n, .graph = (ifn_graph)o->graph,
        .activations = (ifn_activations)o->activations, .kv = (ifn_kv)o->kv, .all_logits = o->all);
    IFN_TRY(session_open_context(&r->session, &r->params, NULL, err));
    IFN_TRY(take_rows(r, err));
    if (o->all) {
        IFN_TRY(ifn_context_eval_all(r->session.context, r->ids.ids, r->ids.n, r->logits, err));
        return check_rows(r, err);
    }
    IFN_TRY(ifn_context_eval(r->session.context, r->ids.ids, r->ids.n, err));
    IFN_TRY(ifn_context_logits(r->session.context, r->logits, err));
    return check_rows(r, err);
}

static void put_f32le(uint8_t *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(bits >> 8 * i);
}

static ifn_status write_raw(const result *r, output *out, ifn_error *err)
{
    uint8_t chunk[4096];
    const int64_t n = r->n_rows * r->n_vocab;
    for (int64_t i = 0; i < n;) {
        size_t bytes = 0;
        for (; bytes < sizeof chunk && i < n; bytes += 4)
            put_f32le(chunk + bytes, r->logits[i++]);
        IFN_TRY(output_write(out, chunk, bytes, err));
    }
    return output_finish(out, err);
}

static void print_row(const result *r, int64_t position, const candidate *c)
{
    const ifn_string piece = ifn_tokenizer_spelling(r->session.tokenizer, c->id);
    if (position >= 0)
        printf("%8" PRId64 "  ", position);
    printf("%8" PRId32 "  %12.6f  %9.6f  ", c->id, (double)c->logit, c->prob);
    escape_terminal(stdout, piece.data, piece.bytes);
    putchar('\n');
}

static void print_table(const result *r, int all)
{
    candidate top[N_TOP];
    printf("%s%8s  %12s  %9s  piece\n", all ? "position  " : "", "id", "logit", "prob");
    for (int64_t row = 0; row < r->n_rows; row++) {
        const int64_t n = topk(r->logits + row * r->n_vocab, r->n_vocab, all ? 1 : N_TOP, top);
        for (int64_t i = 0; i < n; i++)
            print_row(r, all ? row : -1, &top[i]);
    }
}

static void json_candidate(json_writer *json, const result *r, const candidate *c)
{
    const ifn_string piece = ifn_tokenizer_spelling(r->session.tokenizer, c->id);
    json_begin_object(json);
    json_key(json, "id");
    json_put_int(json, c->id);
    json_key(json, "piece");
    json_put_bytes(json, piece.data, piece.bytes);
    json_key(json, "logit");
    json_put_float(json, c->logit);
    json_key(json, "prob");
    json_put_double(json, c->prob);
    json_end_object(json);
}

static void json_position(json_writer *json, const result *r, int64_t row)
{
    candidate top[N_TOP];
    const int64_t n = topk(r->logits + row * r->n_vocab, r->n_vocab, N_TOP, top);
    json_begin_object(json);
    json_key(json, "position");
    json_put_int(json, (int64_t)r->ids.n - r->n_rows + row);
    json_key(json, "top");
    json_begin_array(json);
    for (int64_t i = 0; i < n; i++)
        json_candidate(json, r, &top[i]);
    json_end_array(json);
    json_end_object(json);
}

static void print_json(const result *r, const char *path, const char *out)
{
    json_writer json = {.out = stdout};
    json_begin_object(&json);
    json_key(&json, "model");
    json_put_string(&json, path);
    json_key(&json, "backend");
    json_put_string(&json, ifn_backend_expression(r->session.backend));
    json_key(&json, "activations");
    json_put_string(&json,
                    generate_activations_name((int)session_activations(&r->session, &r->params)));
    json_key(&json, "graph");
    json_put_string(&json, generate_graph_name((int)r->params.graph));
    json_key(&json, "kv");
    json_put_string(&json, generate_kv_name((int)r->params.kv));
    json_key(&json, "ids");
    ids_json(&json, r->ids.ids, r->ids.n);
    json_key(&json, "n_vocab");
    json_put_int(&json, r->n_vocab);
    json_key(&json, "out");
    json_put_string(&json, out);
    json_key(&json, "positions");
    json_begin_array(&json);
    for (int64_t row = 0; row < r->n_rows; row++)
        json_position(&json, r, row);
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}

/* self NULL: no session is open. */
static int complain(const session *self, ifn_error *err, bool is_unwritten)
{
    session_say_what_helps(self, "--no-prepare, --backend scalar, fewer --ids or without --all",
                           err);
    return is_unwritten ? message_unwritten(INFERNO, err) : message_error(INFERNO, err);
}

static int show(const result *r, const logits_options *o, const char *path, output *out)
{
    ifn_error err;
    if (o->out && write_raw(r, out, &err) != IFN_OK)
        return complain(NULL, &err, 1);
    if (o->json)
        print_json(r, path, o->out);
    else if (!o->out)
        print_table(r, o->all);
    return EXIT_DONE;
}

static ifn_status check_together(const logits_options *o, ifn_error *err)
{
    if (!o->ids)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "logits: expected the tokens: --ids 1,2,3");
    if (o->json && o->out && strcmp(o->out, "-") == 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "logits: --json with --out -: both would go to standard output");
    return generate_check_graph("logits", o->activations, o->graph, err);
}

int cmd_logits(int argc, char **argv)
{
    logits_options options = {.kv = IFN_KV_F32};
    ifn_error err;
    int n = 0;
    const int done = args_begin(&logits_command, argc, argv, &options, &n);
    if (done >= 0)
        return done;
    if (check_together(&options, &err) != IFN_OK)
        return message_error(INFERNO, &err);
    output out = {0};
    if (options.out && output_open(&out, options.out, &err) != IFN_OK)
        return complain(NULL, &err, 1);
    result r = {0};
    const int status = evaluate(&r, &options, argv[0], &err) == IFN_OK
                           ? show(&r, &options, argv[0], &out)
                           : complain(&r.session, &err, 0);
    output_discard(&out);
    free(r.logits);
    ifn_tokens_free(&r.ids);
    session_close(&r.session);
    return status;
}
