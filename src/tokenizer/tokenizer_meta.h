/* What the metadata says about a vocabulary besides its entries. */
#ifndef IFN_TOKENIZER_META_H
#define IFN_TOKENIZER_META_H

#include <stdbool.h>

#include "pretokenize.h"
#include "vocab.h"

typedef struct ifn_tokenizer_meta {
    const ifn_pre_rule *pre; /* NULL: a SentencePiece vocabulary. Static */
    ifn_token bos, eos, unknown, end_of_turn, end_of_message; /* or IFN_TOKEN_NONE */
    bool add_bos, add_eos;
    bool space_prefix;
} ifn_tokenizer_meta;

/*
 * Reads tokenizer.ggml.model, pre, the ids and the flags. An id of all ones means none; any other
 * id outside the vocabulary is an error where text or its end would be another without it, and else
 * warned of. (llama.cpp warns of each and takes a default id.) So is an id of a token that text may
 * become by itself, and a pre-tokenizer that is not named. An add flag that is true without an id
 * to add is an error; the defaults of a file that does not say never are.
 */
ifn_status ifn_tokenizer_meta_read(ifn_tokenizer_meta *self, const ifn_gguf *gguf,
                                   const ifn_vocab *vocab, ifn_warnings *warnings, ifn_error *err);

#endif
