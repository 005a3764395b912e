/*
 * Tokens, which a model reads and writes as ids; a tokenizer (tokenizer.h) converts text.
 *
 * Stability: stable.
 */
#ifndef INFERNO_TOKEN_H
#define INFERNO_TOKEN_H

#include <stdint.h>

typedef int32_t ifn_token; /* an id of the vocabulary */
#define IFN_TOKEN_NONE (-1)

#endif
