/* The list of ids that ifn_tokenize fills. */
#ifndef IFN_TOKENS_H
#define IFN_TOKENS_H

#include <inferno/tokenizer.h>

/* Appends `id` unless it is IFN_TOKEN_NONE. */
ifn_status ifn_tokens_append_if(ifn_tokens *self, ifn_token id, ifn_error *err);

#endif
