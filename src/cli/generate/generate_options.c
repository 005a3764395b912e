#include "generate_options.h"

#include <time.h>

#include "args.h"
#include "chat_template.h"
#include "generation.h"
#include "messages.h"
#include "page_sizes.h"

/* Words in the order of ifn_kv, ifn_activations and ifn_graph. */
const char *const generate_kv_words[] = {"off", "basic", "f16", "q8_0", NULL};
const char *const generate_activations_words[] = {"auto", "f32", "q8", NULL};
const char *const generate_graph_words[] = {"fused", "primitive", NULL};

#define AT(member) offsetof(generate_options, member)
static const arg_option generate_table[] = {
    GENERATE_OPTION_MODEL(generate_options),
    {.name = "-p",
     .alias = "--prompt",
     .kind = ARG_STRING,
     .value = "TEXT",
     .at = AT(prompt),
     .help = "the prompt"},
    {.name = "-f",
     .alias = "--file",
     .kind = ARG_STRING,
     .value = "FILE",
     .at = AT(file),
     .help = "read the prompt from FILE, byte for byte; - is standard input"},
    {.name = "--ids",
     .kind = ARG_STRING,
     .value = "1,2,3",
     .at = AT(ids),
     .help = "the prompt as token ids, taken as they are"},
    {.name = "--prompts",
     .kind = ARG_STRING,
     .value = "FILE",
     .at = AT(prompts),
     .help =
         "a prompt in each line of FILE, - for standard input; continued some at a time, each as "
         "it is alone, and printed in the order of FILE"},
    {.name = "--batch",
     .kind = ARG_INT,
     .value = "N",
     .at = AT(batch),
     .int_range = {1, 1024},
     .help = "how many of --prompts at a time; default: 8"},
    {.name = "--page-rows",
     .kind = ARG_CHOICE,
     .value = "N",
     .at = AT(page_size),
     .choices = page_size_words,
     .help =
         "the KV cache in pages of 16, 32, 64, 128 or 256 rows: --prompts that begin alike have "
         "that in memory once, and compute it once; default: none"},
    {.name = "--pages",
     .kind = ARG_INT,
     .value = "N",
     .at = AT(n_pages),
     .int_range = {1, INT32_MAX},
     .help = "with --page-rows: so many pages for all prompts together; default: as many as they "
             "could fill"},
    {.name = "--chat",
     .alias = "-i",
     .kind = ARG_FLAG,
     .at = AT(chat),
     .help = "a conversation: each line of standard input is a message, and is answered"},
    {.name = "--system",
     .kind = ARG_STRING,
     .value = "TEXT",
     .at = AT(system),
     .help = "how the model is to answer, said before the first message of a chat"},
    {.name = "--chat-template",
     .kind = ARG_CHOICE,
     .value = "NAME",
     .at = AT(chat_template),
     .choices = chat_template_words,
     .help = "how a chat is written: chatml, qwen3, llama2, llama3, gemma, mistral, phi3 (a wrong "
             "NAME lists all); default: as the model's own template"},
    {.name = "--no-think",
     .kind = ARG_FLAG,
     .at = AT(no_think),
     .help = "a chat without thoughts before the answers, for models such as Qwen3"},
    {.name = "-n",
     .alias = "--n-predict",
     .kind = ARG_INT,
     .value = "N",
     .at = AT(n),
     .int_range = {0, INT32_MAX},
     .help = "generate N tokens at most; default: to the end of the text or the context"},
    GENERATE_OPTION_BACKEND(generate_options),
    GENERATE_OPTION_THREADS(generate_options),
    GENERATE_OPTION_KV(
        generate_options,
        "the KV cache; off recomputes everything for each token; default: basic (f32)"),
    GENERATE_OPTION_ACTIVATIONS(generate_options),
    GENERATE_OPTION_GRAPH(generate_options),
    GENERATE_OPTION_CTX(generate_options, "tokens the context holds"),
    GENERATE_OPTION_MAX_MEMORY(generate_options),
    GENERATE_OPTION_NO_PREPARE(generate_options),
    GENERATE_OPTION_CACHE(generate_options),
    {.name = "--temp",
     .kind = ARG_FLOAT,
     .value = "T",
     .at = AT(temp),
     .float_range = {0, 1000},
     .help = "temperature; default 0: greedy"},
    {.name = "--top-k",
     .kind = ARG_INT,
     .value = "K",
     .at = AT(top_k),
     .int_range = {0, INT32_MAX},
     .help = "keep the K best candidates; default 0: all"},
    {.name = "--top-p",
     .kind = ARG_FLOAT,
     .value = "P",
     .at = AT(top_p),
     .float_range = {0, 1},
     .help = "keep the best candidates up to this probability; default 1: all"},
    {.name = "--min-p",
     .kind = ARG_FLOAT,
     .value = "P",
     .at = AT(min_p),
     .float_range = {0, 1},
     .help = "drop candidates below P times the best; default 0: none"},
    {.name = "--seed",
     .alias = "-s",
     .kind = ARG_INT,
     .value = "S",
     .at = AT(seed),
     .int_range = {0, INT64_MAX},
     .help = "of the random numbers; default: a random one, which is printed"},
    {.name = "--repeat-penalty",
     .kind = ARG_FLOAT,
     .value = "R",
     .at = AT(repeat),
     .float_range = {0, 1000},
     .help = "divide positive logits of recent tokens by R, multiply others; default 1: none"},
    {.name = "--frequency-penalty",
     .kind = ARG_FLOAT,
     .value = "A",
     .at = AT(frequency),
     .float_range = {-1000, 1000},
     .help = "take A from a logit for each time its token is among the recent ones; default 0"},
    {.name = "--presence-penalty",
     .kind = ARG_FLOAT,
     .value = "A",
     .at = AT(presence),
     .float_range = {-1000, 1000},
     .help = "take A once from the logit of each recent token; default 0"},
    {.name = "--repeat-last-n",
     .kind = ARG_INT,
     .value = "N",
     .at = AT(repeat_last_n),
     .int_range = {0, 1 << 20},
     .help = "how many tokens are recent; default 64"},
    {.name = "--stop",
     .kind = ARG_LIST,
     .value = "TEXT",
     .at = AT(stop),
     .help = "end before TEXT; again for more"},
    {.name = "-ngl",
     .alias = "--n-gpu-layers",
     .kind = ARG_REFUSED,
     .value = "N",
     .help = "no single layers are moved: a device is a backend that takes all, --backend opencl"},
    {.name = "--ignore-eos",
     .kind = ARG_FLAG,
     .at = AT(ignore_eos),
     .help = "go on after an end token"},
    {.name = "--metrics",
     .kind = ARG_FLAG,
     .at = AT(metrics),
     .help = "print times and memory to standard error"},
    {.name = "--trace",
     .kind = ARG_STRING,
     .value = "FILE",
     .at = AT(trace),
     .help = "write every op and its time for Perfetto; folded stacks if FILE ends in .folded"},
    {.name = "--ceilings",
     .kind = ARG_FLAG,
     .at = AT(ceilings),
     .help = "measure this machine afterwards, and tell per cent of that in the trace's totals"},
    ARG_JSON(generate_options),
    ARG_QUIET(generate_options),
};
#undef AT

const arg_command generate_command = {
    .program = INFERNO,
    .name = "generate",
    .positionals = "[MODEL]",
    .min_positionals = 0,
    .max_positionals = 1,
    .summary = "Continues a prompt, and prints the continuation as it is produced.\n"
               "Without MODEL: the model that ships with the project.",
    .brief = "continue a text",
    .examples = "inferno generate -p \"Once upon a time\"\n"
                "inferno generate model.gguf -p \"Once upon a time\" -n 20 --temp 0.8 --seed 1\n"
                "inferno generate -m model.gguf -p \"One day\" --stop . --repeat-penalty 1.1\n"
                "inferno generate model.gguf --ids 1,2,3 -n 5 --json\n"
                "inferno generate model.gguf --prompts prompts.txt --batch 16 -n 20\n"
                "inferno generate phi3.gguf --chat --chat-template phi3 --system \"Be brief.\"",
    .options = generate_table,
    .n_options = sizeof generate_table / sizeof *generate_table,
};

const char *generate_kv_name(int kv)
{
    return generate_kv_words[kv];
}

const char *generate_activations_name(int activations)
{
    return generate_activations_words[activations];
}

const char *generate_graph_name(int graph)
{
    return generate_graph_words[graph];
}

ifn_status generate_check_graph(const char *command, int activations, int graph, ifn_error *err)
{
    if (activations == IFN_ACTIVATIONS_Q8 && graph == IFN_GRAPH_PRIMITIVE)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "%s: --activations q8 with --graph primitive: the primitive graph "
                        "computes in f32 only",
                        command);
    return IFN_OK;
}

enum { SEED_NOT_GIVEN = -1 };

/* Returns the first given option that contradicts --chat; NULL: none. */
static const char *not_in_chat(const generate_options *self)
{
    return self->prompt    ? "-p"
           : self->file    ? "-f"
           : self->ids     ? "--ids"
           : self->prompts ? "--prompts"
           : self->json    ? "--json"
           : self->metrics ? "--metrics"
           : self->n == 0  ? "-n 0"
                           : NULL;
}

static const char *only_in_chat(const generate_options *self)
{
    return self->system                                    ? "--system"
           : self->chat_template != CHAT_TEMPLATE_OF_MODEL ? "--chat-template"
           : self->no_think                                ? "--no-think"
                                                           : NULL;
}

static ifn_status check_chat(const generate_options *self, ifn_error *err)
{
    const char *const other = self->chat ? not_in_chat(self) : only_in_chat(self);
    if (other && self->chat)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "generate: --chat with %s: a chat takes its messages from standard input "
                        "and answers each",
                        other);
    if (other)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "generate: %s without --chat, expected both", other);
    return IFN_OK;
}

static ifn_status check_together(const generate_options *self, ifn_error *err)
{
    if (self->batch && !self->prompts)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "generate: --batch without --prompts, expected both");
    if (self->n_pages && !self->page_size)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "generate: --pages without --page-rows, expected both");
    IFN_TRY(check_chat(self, err));
    if (self->chat)
        return generate_check_graph("generate", self->activations, self->graph, err);
    if (!!self->prompt + !!self->file + !!self->ids + !!self->prompts != 1)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "generate: expected one prompt: -p TEXT, -f FILE or --ids 1,2,3; or "
                        "--prompts FILE, or --chat");
    if (self->prompts && self->metrics)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "generate: --prompts with --metrics: times are those of one text");
    return generate_check_graph("generate", self->activations, self->graph, err);
}

/* Chooses a random seed if none was given and sampling needs one. */
static void choose_seed(generate_options *self)
{
    struct timespec now;
    self->is_random = self->seed == SEED_NOT_GIVEN && self->temp > 0;
    if (self->seed != SEED_NOT_GIVEN)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    self->seed = self->is_random ? (int64_t)(now.tv_sec ^ now.tv_nsec) & INT32_MAX : 0;
}

static int refuse_two_models(const char *a, const char *b)
{
    message_note(INFERNO, "generate: --model %s and %s: expected one model", a, b);
    return EXIT_USAGE;
}

int generate_options_read(generate_options *self, int argc, char **argv)
{
    ifn_error err;
    int n = 0;
    *self = (generate_options){.n = GENERATION_NO_LIMIT,
                               .kv = IFN_KV_F32,
                               .seed = SEED_NOT_GIVEN,
                               .chat_template = CHAT_TEMPLATE_OF_MODEL,
                               .repeat = 1,
                               .repeat_last_n = GENERATION_RECENT};
    const int done = args_begin(&generate_command, argc, argv, self, &n);
    if (done >= 0)
        return done;
    if (n > 0 && self->model)
        return refuse_two_models(self->model, argv[0]);
    if (n > 0)
        self->model = argv[0];
    choose_seed(self);
    return check_together(self, &err) == IFN_OK ? -1 : message_error(INFERNO, &err);
}
