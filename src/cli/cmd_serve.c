/* serve: serves a model over HTTP (serve/). */
#include <inferno/context.h>

#include "chat_template.h"
#include "commands.h"
#include "generate_options.h"
#include "messages.h"
#include "serve.h"

#define AT(member) offsetof(serve_options, member)
static const arg_option serve_table[] = {
    {.name = "--host",
     .kind = ARG_STRING,
     .value = "ADDRESS",
     .at = AT(host),
     .help =
         "where to listen; default 127.0.0.1: this machine alone. Nobody is asked who they are"},
    {.name = "--port",
     .kind = ARG_INT,
     .value = "N",
     .at = AT(port),
     .int_range = {0, 65535},
     .help = "default 8080; 0: one that is free"},
    {.name = "--batch",
     .kind = ARG_INT,
     .value = "N",
     .at = AT(batch),
     .int_range = {1, 1024},
     .help = "requests that are answered at a time, each with a context of its own; default: 8, or "
             "fewer where half of the memory has no room for them; 1 with --kv off and --graph "
             "primitive"},
    {.name = "--queue",
     .kind = ARG_INT,
     .value = "N",
     .at = AT(queue),
     .int_range = {1, 4096},
     .help = "requests that may wait while others are answered; more are refused. Default 128"},
    {.name = "--alias",
     .kind = ARG_STRING,
     .value = "NAME",
     .at = AT(alias),
     .help = "what the model is called in requests; default: as its file, without .gguf"},
    GENERATE_OPTION_MODEL(serve_options),
    {.name = "--chat-template",
     .kind = ARG_CHOICE,
     .value = "NAME",
     .at = AT(chat_template),
     .choices = chat_template_words,
     .help = "how a chat is written (see inferno help generate); default: as the model's own"},
    {.name = "--no-think",
     .kind = ARG_FLAG,
     .at = AT(no_think),
     .help = "chats without thoughts before the answers, for models such as Qwen3"},
    GENERATE_OPTION_BACKEND(serve_options),
    GENERATE_OPTION_THREADS(serve_options),
    GENERATE_OPTION_KV(serve_options, "the KV cache; default: basic (f32)"),
    GENERATE_OPTION_ACTIVATIONS(serve_options),
    GENERATE_OPTION_GRAPH(serve_options),
    GENERATE_OPTION_CTX(serve_options, "tokens that prompt and answer may have"),
    GENERATE_OPTION_MAX_MEMORY(serve_options),
    GENERATE_OPTION_NO_PREPARE(serve_options),
    GENERATE_OPTION_CACHE(serve_options),
    ARG_QUIET(serve_options),
};
#undef AT

const arg_command serve_command = {
    .program = INFERNO,
    .name = "serve",
    .positionals = "[MODEL]",
    .min_positionals = 0,
    .max_positionals = 1,
    .summary = "Answers HTTP requests in the form of OpenAI's API: POST /v1/completions and\n"
               "/v1/chat/completions, GET /v1/models and /health; GET / is a page to chat on.\n"
               "Up to --batch answers are made together, each as `generate` makes it alone; the\n"
               "next request joins as soon as one is done. SIGINT and SIGTERM let those being\n"
               "made finish; a second one cuts them short.\n"
               "Without MODEL: the model that ships with the project.",
    .brief = "answer over HTTP, as OpenAI's API does",
    .examples = "inferno serve model.gguf\n"
                "inferno serve phi3.gguf --chat-template phi3 -c 256 --port 8081 --batch 4",
    .options = serve_table,
    .n_options = sizeof serve_table / sizeof *serve_table,
};

static int refuse_two_models(const char *a, const char *b)
{
    message_note(INFERNO, "serve: --model %s and %s: expected one model", a, b);
    return EXIT_USAGE;
}

int cmd_serve(int argc, char **argv)
{
    ifn_error err;
    int n = 0;
    serve_options options = {.host = "127.0.0.1",
                             .port = 8080,
                             .queue = 128,
                             .kv = IFN_KV_F32,
                             .chat_template = CHAT_TEMPLATE_OF_MODEL};
    const int done = args_begin(&serve_command, argc, argv, &options, &n);
    if (done >= 0)
        return done;
    if (n > 0 && options.model)
        return refuse_two_models(options.model, argv[0]);
    if (n > 0)
        options.model = argv[0];
    if (generate_check_graph("serve", options.activations, options.graph, &err) != IFN_OK)
        return message_error(INFERNO, &err);
    return serve_run(&options);
}
