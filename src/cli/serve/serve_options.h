/* The options of `inferno serve`. */
#ifndef IFN_CLI_SERVE_OPTIONS_H
#define IFN_CLI_SERVE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct serve_options {
    const char *model; /* NULL: the one that ships with the project */
    const char *alias; /* name of the model in the API; NULL: that of its file */
    const char *host, *backend, *cache;
    int64_t batch; /* answers at a time; 0: not given */
    int64_t port, queue, threads, ctx, max_memory;
    int kv, activations, graph; /* ifn_kv, ifn_activations, ifn_graph */
    int chat_template;          /* index in chat_template_words, or CHAT_TEMPLATE_OF_MODEL */
    bool no_think, no_prepare, quiet;
} serve_options;

#endif
