/* SentencePiece encoding of a piece of text: merges by score, with byte fallback. */
#ifndef IFN_SPM_H
#define IFN_SPM_H

#include <stdbool.h>

#include "merge_queue.h"
#include "vocab.h"

typedef struct ifn_spm {
    const ifn_vocab *vocab;
    const ifn_allocator *alloc;
    uint32_t *order;           /* [n_vocab]: smaller for higher scores; the smallest merges first */
    ifn_token byte_token[256]; /* or IFN_TOKEN_NONE */
    ifn_token unknown;         /* or IFN_TOKEN_NONE: text without tokens is dropped */
    bool cuts_at_spaces;       /* no token has a space after another character */
} ifn_spm;                     /* immutable once open */

/* Reads tokenizer.ggml.scores; without that key all scores are equal. */
ifn_status ifn_spm_open(ifn_spm *self, const ifn_gguf *gguf, const ifn_vocab *vocab,
                        ifn_token unknown, ifn_error *err);
void ifn_spm_close(ifn_spm *self);

/*
 * Appends the ids of text[0 .. bytes), with a space before it if `prefix`. Text that the vocabulary
 * cannot spell, not even byte by byte, becomes one unknown token for each run of it.
 * prefix + 3 * bytes must not exceed INT32_MAX.
 */
ifn_status ifn_spm_encode(const ifn_spm *self, const uint8_t *text, size_t bytes, bool prefix,
                          ifn_tokens *out, ifn_error *err);

#endif
