/* Tokenizes turns. Marks of the template become special tokens; text of the user never does. */
#ifndef IFN_CLI_CHAT_IDS_H
#define IFN_CLI_CHAT_IDS_H

#include <inferno/tokenizer.h>

#include "chat_template.h"

/**
 * Finds the id of the mark that ends a turn.
 * Errors  IFN_ERR_UNSUPPORTED: the vocabulary lacks it, so it does not belong to this template
 */
ifn_status chat_ids_end(const ifn_tokenizer *tokenizer, const chat_template *how, ifn_token *out,
                        ifn_error *err);

/* Appends the token that begins a text (BOS), if the vocabulary asks for one. */
ifn_status chat_ids_begin(const ifn_tokenizer *tokenizer, ifn_tokens *out, ifn_error *err);

/* Appends the ids of a turn. */
ifn_status chat_ids_add(const ifn_tokenizer *tokenizer, const chat_template *how,
                        const chat_text *turn, ifn_tokens *out, ifn_error *err);

#endif
