/* The text of a generation as it grows: ids are detokenized, and the text is cut where a stop word begins. */
#ifndef IFN_CLI_CONTINUATION_H
#define IFN_CLI_CONTINUATION_H

#include <stdbool.h>

#include <inferno/tokenizer.h>

#include "args.h"
#include "text.h"

/* Caller's storage; all zero except stop, show and cookie, which are set before continuation_begin. */
typedef struct continuation {
    const arg_list *stop; /* words that end the text */
    ifn_text_sink show;   /* receives text as soon as no stop word can begin in it */
    void *cookie;
    text text;
    size_t n_shown;  /* bytes of the text given to `show` */
    bool is_stopped; /* a stop word has ended the text */
    ifn_detokenizer detokenizer;
} continuation;

/* Empties the text and begins a new one. */
void continuation_begin(continuation *self, const ifn_tokenizer *tokenizer);
ifn_status continuation_push(continuation *self, ifn_token id, ifn_error *err);
/* Shows the text that was held back. */
ifn_status continuation_end(continuation *self, ifn_error *err);
void continuation_free(continuation *self);

#endif
