/* The text that a generation becomes, as it grows: bytes from ids, cut where a stop word begins. */
#ifndef IFN_CLI_CONTINUATION_H
#define IFN_CLI_CONTINUATION_H

#include <stdbool.h>

#include <inferno/tokenizer.h>

#include "args.h"
#include "text.h"

/* Caller's storage; all zero but for what is set before continuation_begin. */
typedef struct continuation {
    const arg_list *stop; /* words that end the text */
    ifn_text_sink show;   /* is told at once of what no stop word can take back */
    void *cookie;
    text text;
    size_t n_shown;  /* bytes of it */
    bool is_stopped; /* a stop word has ended it */
    ifn_detokenizer detokenizer;
} continuation;

/* From here on it is empty. */
void continuation_begin(continuation *self, const ifn_tokenizer *tokenizer);
ifn_status continuation_push(continuation *self, ifn_token id, ifn_error *err);
/* Shows what was held back. */
ifn_status continuation_end(continuation *self, ifn_error *err);
void continuation_free(continuation *self);

#endif
