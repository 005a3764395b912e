/* Metadata about a vocabulary other than its tokens: pre-tokenizer, special ids, flags. */
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
 * Reads tokenizer.ggml.model, pre, the ids and the flags. An id of all ones means none. Any other id
 * outside the vocabulary is an error if text or its end would change without it, else it gives a
 * warning. (llama.cpp warns of each and takes a default id.) An id whose token ordinary text may
 * become, and a pre-tokenizer that is not named, give a warning too. An add flag that is true without
 * an id to add is an error; a default that the file does not state never is.
 */
ifn_status ifn_tokenizer_meta_read(ifn_tokenizer_meta *self, const ifn_gguf *gguf,
                                   const ifn_vocab *vocab, ifn_warnings *warnings, ifn_error *err);

#endif
