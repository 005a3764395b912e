/* What `inferno serve` can be told. */
#ifndef IFN_CLI_SERVE_OPTIONS_H
#define IFN_CLI_SERVE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct serve_options {
    const char *model; /* NULL: the one that ships with the project */
    const char *alias; /* what the model is called; NULL: as its file */
    const char *host, *backend, *cache;
    int64_t batch; /* 0: not said */
    int64_t port, queue, threads, ctx, max_memory;
    int kv, activations, graph; /* ifn_kv, ifn_activations, ifn_graph */
    int chat_template;          /* of chat_template_words, or CHAT_TEMPLATE_OF_MODEL */
    bool no_think, no_prepare, quiet;
} serve_options;

#endif
