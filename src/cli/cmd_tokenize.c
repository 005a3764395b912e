/* tokenize and detokenize: convert text to ids and back, without loading weights. */
#include <string.h>

#include "args.h"
#include "commands.h"
#include "ids.h"
#include "messages.h"
#include "session.h"
#include "text.h"

typedef struct tokenize_options {
    const char *model, *text, *file;
    bool no_special, no_bos, no_eos, json;
} tokenize_options;

#define AT(member) offsetof(tokenize_options, member)
static const arg_option tokenize_table[] = {
    {.name = "-f",
     .kind = ARG_STRING,
     .value = "FILE",
     .at = AT(file),
     .help = "read the text from FILE, byte for byte; - is standard input"},
    {.name = "--no-special",
     .kind = ARG_FLAG,
     .at = AT(no_special),
     .help = "text that spells a control token stays text"},
    {.name = "--no-bos",
     .kind = ARG_FLAG,
     .at = AT(no_bos),
     .help = "add no token at the beginning"},
    {.name = "--no-eos", .kind = ARG_FLAG, .at = AT(no_eos), .help = "add no token at the end"},
    ARG_JSON(tokenize_options),
};
#undef AT

const arg_command tokenize_command = {
    .program = INFERNO,
    .name = "tokenize",
    .positionals = "MODEL [TEXT | -f FILE]",
    .min_positionals = 1,
    .max_positionals = 2,
    .summary = "Prints the ids of a text.",
    .brief = "text to ids",
    .examples = "inferno tokenize model.gguf \"Once upon a time\"\n"
                "echo Once | inferno tokenize model.gguf -f - --json",
    .options = tokenize_table,
    .n_options = sizeof tokenize_table / sizeof *tokenize_table,
};

static void print_tokens(const session *s, const ifn_tokens *tokens, int as_json)
{
    if (!as_json) {
        ids_print(stdout, tokens->ids, tokens->n);
        putchar('\n');
        return;
    }
    json_writer json = {.out = stdout};
    json_begin_object(&json);
    json_key(&json, "ids");
    ids_json(&json, tokens->ids, tokens->n);
    json_key(&json, "pieces");
    json_begin_array(&json);
    for (size_t i = 0; i < tokens->n; i++) {
        const ifn_string piece = ifn_tokenizer_spelling(s->tokenizer, tokens->ids[i]);
        json_put_bytes(&json, piece.data, piece.bytes);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}

static ifn_status tokenize(session *s, text *input, const tokenize_options *o, ifn_error *err)
{
    const uint32_t flags = (o->no_special ? IFN_TOKENIZE_NO_SPECIAL : 0u) |
                           (o->no_bos ? IFN_TOKENIZE_NO_BOS : 0u) |
                           (o->no_eos ? IFN_TOKENIZE_NO_EOS : 0u);
    IFN_TRY(session_open_tokenizer(s, o->model, err));
    session_warn(s, INFERNO);
    IFN_TRY(o->file ? text_read(input, o->file, err)
                    : text_append(input, o->text, strlen(o->text), err));
    ifn_tokens tokens;
    IFN_TRY(ifn_tokenize(s->tokenizer, input->data, input->bytes, flags, &tokens, err));
    print_tokens(s, &tokens, o->json);
    ifn_tokens_free(&tokens);
    return IFN_OK;
}

int cmd_tokenize(int argc, char **argv)
{
    tokenize_options options = {0};
    int n = 0;
    const int done = args_begin(&tokenize_command, argc, argv, &options, &n);
    if (done >= 0)
        return done;
    options.model = argv[0];
    options.text = n > 1 ? argv[1] : NULL;
    if (!options.text == !options.file) {
        message_note(INFERNO, "tokenize: expected either TEXT or -f FILE");
        return EXIT_USAGE;
    }
    session s = {0};
    text input = {0};
    ifn_error err;
    const ifn_status status = tokenize(&s, &input, &options, &err);
    text_free(&input);
    session_close(&s);
    return status == IFN_OK ? EXIT_DONE : message_error(INFERNO, &err);
}

typedef struct detokenize_options {
    bool json;
} detokenize_options;

static const arg_option detokenize_table[] = {ARG_JSON(detokenize_options)};

const arg_command detokenize_command = {
    .program = INFERNO,
    .name = "detokenize",
    .positionals = "MODEL ID...",
    .min_positionals = 2,
    .max_positionals = ARGS_ANY_NUMBER,
    .summary = "Prints the text of ids, exactly: no newline is added. 1 2 3 and 1,2,3 are\n"
               "the same.",
    .brief = "ids to text",
    .examples = "inferno detokenize model.gguf 10 20 30",
    .options = detokenize_table,
    .n_options = sizeof detokenize_table / sizeof *detokenize_table,
};

static ifn_status decode(const session *s, const ifn_tokens *ids, text *out, ifn_error *err)
{
    ifn_detokenizer detokenizer = IFN_DETOKENIZER_INIT;
    ifn_detokenizer_init(&detokenizer, s->tokenizer, 0);
    for (size_t i = 0; i < ids->n; i++)
        IFN_TRY(ifn_detokenizer_push(&detokenizer, ids->ids[i], text_sink, out, err));
    return ifn_detokenizer_flush(&detokenizer, text_sink, out, err);
}

static void print_text(const ifn_tokens *ids, const text *out, int as_json)
{
    if (!as_json) {
        fwrite(out->data, 1, out->bytes, stdout);
        return;
    }
    json_writer json = {.out = stdout};
    json_begin_object(&json);
    json_key(&json, "ids");
    ids_json(&json, ids->ids, ids->n);
    json_key(&json, "text");
    json_put_bytes(&json, out->data, out->bytes);
    json_end_object(&json);
    json_finish(&json);
}

/* Joins the words to one list, so that output of `tokenize` can be pasted without quotes. */
static ifn_status parse_words(int n, char **words, ifn_tokens *ids, ifn_error *err)
{
    text list = {0};
    ifn_status status = IFN_OK;
    for (int i = 0; status == IFN_OK && i < n; i++) {
        status = text_append(&list, " ", i > 0, err);
        if (status == IFN_OK)
            status = text_append(&list, words[i], strlen(words[i]), err);
    }
    if (status == IFN_OK)
        status = ids_parse(list.data, ids, err);
    text_free(&list);
    return status;
}

/* words: the model, then n - 1 ids or pieces of a list of ids. */
static ifn_status detokenize(session *s, int n, char **words, ifn_tokens *ids, text *out,
                             ifn_error *err)
{
    IFN_TRY(parse_words(n - 1, words + 1, ids, err));
    IFN_TRY(session_open_tokenizer(s, words[0], err));
    IFN_TRY(ids_check(ids, ifn_tokenizer_n_vocab(s->tokenizer), err));
    IFN_TRY(text_append(out, "", 0, err));
    return decode(s, ids, out, err);
}

int cmd_detokenize(int argc, char **argv)
{
    detokenize_options options = {0};
    int n = 0;
    const int done = args_begin(&detokenize_command, argc, argv, &options, &n);
    if (done >= 0)
        return done;
    session s = {0};
    ifn_tokens ids = {0};
    text out = {0};
    ifn_error err;
    const ifn_status status = detokenize(&s, n, argv, &ids, &out, &err);
    if (status == IFN_OK)
        print_text(&ids, &out, options.json);
    text_free(&out);
    ifn_tokens_free(&ids);
    session_close(&s);
    return status == IFN_OK ? EXIT_DONE : message_error(INFERNO, &err);
}
