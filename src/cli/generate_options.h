/* What `inferno generate` can be told. */
#ifndef IFN_CLI_GENERATE_OPTIONS_H
#define IFN_CLI_GENERATE_OPTIONS_H

#include <stdint.h>

typedef struct generate_options {
    const char *model; /* NULL: the one that ships with the project */
    const char *prompt, *file, *ids, *backend, *trace;
    int64_t n; /* or GENERATION_NO_LIMIT */
    int64_t threads, ctx, max_memory, top_k, seed;
    double temp, top_p, min_p;
    int kv, activations, graph; /* ifn_kv, ifn_activations, ifn_graph */
    int ignore_eos, metrics, ceilings, json, quiet;
} generate_options;

/* Defaults, command line, and what does not go together. -1 to go on, else the exit status. */
int generate_options_read(generate_options *self, int argc, char **argv);

/* For messages and JSON: "basic", "q8", "fused". Static. */
const char *generate_kv_name(int kv);
const char *generate_activations_name(int activations);
const char *generate_graph_name(int graph);

/* The words of --kv and --activations, for other commands that take them. End with NULL. */
extern const char *const generate_kv_words[];
extern const char *const generate_activations_words[];

#endif
