/*
 * A conversation: a line of standard input is a message, and the model answers, until the input or
 * the context ends. What was said stays in the context, so only the ids of a new turn are
 * evaluated; thoughts of a model stay there, too.
 */
#ifndef IFN_CLI_CHAT_H
#define IFN_CLI_CHAT_H

#include <stdbool.h>

#include <inferno/tokenizer.h>

#include "chat_template.h"

typedef struct chat_params {
    const ifn_tokenizer *tokenizer;
    const chat_template *how;
    const char *system; /* NULL: none */
    int no_thoughts;
    int64_t max_pos; /* tokens the context holds */
    ifn_tokens *ids; /* the conversation so far, which is empty */
    /* Appends an answer to the ids, its end token not; *is_full: the context has no room for more
     * of it. */
    ifn_status (*answer)(void *cookie, bool *is_full, ifn_error *err);
    void *cookie;
} chat_params;

ifn_status chat_run(const chat_params *params, ifn_error *err);

#endif
