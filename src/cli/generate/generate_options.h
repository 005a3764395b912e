/* The options of `inferno generate`. */
#ifndef IFN_CLI_GENERATE_OPTIONS_H
#define IFN_CLI_GENERATE_OPTIONS_H

#include <stdint.h>

#include "args.h"

typedef struct generate_options {
    const char *model; /* NULL: the one that ships with the project */
    const char *prompt, *file, *ids, *prompts, *backend, *trace;
    int64_t n;       /* or GENERATION_NO_LIMIT */
    int64_t batch;   /* prompts of the file `prompts` that are continued at once */
    int64_t n_pages; /* pages of the KV cache; 0: as many as could be filled */
    int64_t threads, ctx, max_memory, top_k, repeat_last_n;
    int64_t seed; /* --seed; a random one if none was given and one is needed: is_random */
    double temp, top_p, min_p, repeat, frequency, presence;
    arg_list stop;      /* words that end the text */
    const char *system; /* NULL: none */
    bool chat, no_think;
    int page_size;     /* index in page_size_words */
    int chat_template; /* index in chat_template_words, or CHAT_TEMPLATE_OF_MODEL */
    bool is_random;
    int kv, activations, graph; /* ifn_kv, ifn_activations, ifn_graph */
    const char *cache;          /* path of the cache of prepared weights; "": default; NULL: none */
    bool no_prepare, ignore_eos, metrics, ceilings, json, quiet;
} generate_options;

/* Sets defaults, parses the command line and refuses options that contradict each other. Returns -1 to go on, else the
 * exit status. */
int generate_options_read(generate_options *self, int argc, char **argv);

/* Return names for messages and JSON: "basic", "q8", "fused". Static. */
const char *generate_kv_name(int kv);
const char *generate_activations_name(int activations);
const char *generate_graph_name(int graph);

/* The words of --kv, --activations and --graph; ended by NULL. */
extern const char *const generate_kv_words[];
extern const char *const generate_activations_words[];
extern const char *const generate_graph_words[];

/* Options of every command that evaluates a model, read into members of these names. */
#define GENERATE_OPTION_NO_PREPARE(type)                                                           \
    {                                                                                              \
        .name = "--no-prepare", .kind = ARG_FLAG, .at = offsetof(type, no_prepare),                \
        .help = "read weights as the file has them: slower, in less memory"                        \
    }
#define GENERATE_OPTION_CACHE(type)                                                                \
    {                                                                                              \
        .name = "--cache", .kind = ARG_ATTACHED_STRING, .value = "PATH",                           \
        .at = offsetof(type, cache),                                                               \
        .help =                                                                                    \
            "keep prepared weights in PATH, and take them from there next time; default PATH: "    \
            "the model's, and .cache"                                                              \
    }
#define GENERATE_OPTION_MODEL(type)                                                                \
    {                                                                                              \
        .name = "--model", .alias = "-m", .kind = ARG_STRING, .value = "FILE",                     \
        .at = offsetof(type, model), .help = "MODEL, by another name"                              \
    }
#define GENERATE_OPTION_BACKEND(type)                                                              \
    {                                                                                              \
        .name = "--backend", .kind = ARG_STRING, .value = "EXPR", .at = offsetof(type, backend),   \
        .help = "what runs the ops (see inferno backends); default: the best there is"             \
    }
#define GENERATE_OPTION_THREADS(type)                                                              \
    {                                                                                              \
        .name = "--threads", .alias = "-t", .kind = ARG_INT, .value = "N",                         \
        .at = offsetof(type, threads), .int_range = {1, 1024},                                     \
        .help = "threads of a parallel backend"                                                    \
    }
#define GENERATE_OPTION_MAX_MEMORY(type)                                                           \
    {                                                                                              \
        .name = "--max-memory", .kind = ARG_INT, .value = "BYTES",                                 \
        .at = offsetof(type, max_memory), .int_range = {1, INT64_MAX},                             \
        .help = "refuse a context and prepared weights of more; default: physical memory"          \
    }
#define GENERATE_OPTION_KV(type, text)                                                             \
    {                                                                                              \
        .name = "--kv", .kind = ARG_CHOICE, .at = offsetof(type, kv),                              \
        .choices = generate_kv_words, .help = text                                                 \
    }
#define GENERATE_OPTION_CTX(type, text)                                                            \
    {                                                                                              \
        .name = "--ctx", .alias = "-c", .kind = ARG_INT, .value = "N", .at = offsetof(type, ctx),  \
        .int_range = {1, INT32_MAX}, .help = text "; default: what the model was trained for"      \
    }
#define GENERATE_OPTION_ACTIVATIONS(type)                                                          \
    {                                                                                              \
        .name = "--activations", .kind = ARG_CHOICE, .at = offsetof(type, activations),            \
        .choices = generate_activations_words,                                                     \
        .help = "default auto: q8 for quantized weights in the fused graph, else f32"              \
    }
#define GENERATE_OPTION_GRAPH(type)                                                                \
    {                                                                                              \
        .name = "--graph", .kind = ARG_CHOICE, .at = offsetof(type, graph),                        \
        .choices = generate_graph_words,                                                           \
        .help = "primitive: the slow, obvious reference; default: fused"                           \
    }

/* Refuses Q8 activations in the primitive graph, which computes in f32 only. */
ifn_status generate_check_graph(const char *command, int activations, int graph, ifn_error *err);

#endif
