/*
 * A conversation: each line of standard input is a message, which the model answers, until the input or the context
 * ends. Earlier turns stay in the context, so only the ids of a new turn are evaluated; thoughts of the model stay
 * there, too.
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
    ifn_tokens *ids; /* the conversation so far; empty at the start */
    /* Generates an answer and appends it to the ids, without its end token. *is_full: the context is full. */
    ifn_status (*answer)(void *cookie, bool *is_full, ifn_error *err);
    void *cookie;
} chat_params;

ifn_status chat_run(const chat_params *params, ifn_error *err);

#endif
