#include "model_generate_options.h"

#include "messages.h"

#define POSITIONALS "<gguf_path> [prompt] [max_new_tokens]"

enum { DEFAULT_TOKENS = 20, KV_NOT_GIVEN = -1 };

static const char *const kv_words[] = {"basic", NULL};

#define AT(member) offsetof(model_generate_options, member)
static const arg_option option_table[] = {
    {.name = "--kv",
     .kind = ARG_OPTIONAL_CHOICE,
     .at = AT(cached),
     .choices = kv_words,
     .help = "keep keys and values; without it each token recomputes everything"},
    {.name = "--backend",
     .kind = ARG_STRING,
     .value = "EXPR",
     .at = AT(backend),
     .help = "what runs the ops; default: simd, or scalar where there is none"},
    {.name = "--threads",
     .kind = ARG_INT,
     .value = "N",
     .at = AT(threads),
     .int_range = {1, 1024},
     .help = "threads of a parallel backend"},
};
#undef AT

const arg_command model_generate_command = {
    .program = MODEL_GENERATE,
    .positionals = POSITIONALS,
    .min_positionals = 1,
    .max_positionals = 3,
    .summary = "Continues a prompt (default: hello world) by max_new_tokens (default: 20)\ntokens.",
    .brief = "continues a prompt and tells everything about the run",
    .examples = "model-generate model.gguf \"Once upon a time\" 20\n"
                "model-generate --kv basic --backend scalar model.gguf",
    .options = option_table,
    .n_options = sizeof option_table / sizeof *option_table,
};

int model_generate_options_read(model_generate_options *self, int argc, char **argv)
{
    ifn_error err;
    int n = -1; /* stays -1 if parsing stops early */
    *self = (model_generate_options){
        .prompt = "hello world", .n = DEFAULT_TOKENS, .cached = KV_NOT_GIVEN};
    const int done = args_begin(&model_generate_command, argc, argv, self, &n);
    if (done == EXIT_USAGE && n == 0)
        fputs("usage: " MODEL_GENERATE " [--kv [basic]] [--backend EXPR] [--threads N] " POSITIONALS
              "\n",
              stderr);
    if (done >= 0)
        return done;
    self->cached = self->cached != KV_NOT_GIVEN;
    self->model = argv[0];
    if (n > 1)
        self->prompt = argv[1];
    if (n > 2 && args_int("max_new_tokens", argv[2], 0, INT32_MAX, &self->n, &err) != IFN_OK)
        return message_error(MODEL_GENERATE, &err);
    return -1;
}
