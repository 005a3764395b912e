/* Byte-level byte-pair encoding of one word. */
#ifndef IFN_BPE_H
#define IFN_BPE_H

#include <stdbool.h>

#include "merge_queue.h"
#include "vocab.h"

typedef struct ifn_bpe_rule {
    ifn_token left, right, merged; /* left IFN_TOKEN_NONE: the rule can never apply */
} ifn_bpe_rule;

typedef struct ifn_bpe {
    const ifn_vocab *vocab;
    const ifn_allocator *alloc;
    ifn_bpe_rule *rules; /* [n_rules], by rank: in the order of the file */
    size_t n_rules;
    uint32_t *slots;           /* hash of (left, right) -> rank; UINT32_MAX: free */
    size_t n_slots;            /* a power of two */
    ifn_token byte_token[256]; /* or IFN_TOKEN_NONE */
    ifn_token unknown;         /* the id for a byte without a token; NONE: such bytes are dropped */
    bool ignores_merges;
} ifn_bpe; /* immutable once open */

/*
 * Reads tokenizer.ggml.merges. If a pair has two merges, the first counts. A merge that can never
 * apply, because one of its sides is no token, is ignored with a warning. llama.cpp merges text and
 * looks ids up at the end, while this library merges ids. A merge that could apply there but not here
 * is an error: its result is no token, or one of its sides is a single character that is no token.
 */
ifn_status ifn_bpe_open(ifn_bpe *self, const ifn_gguf *gguf, const ifn_vocab *vocab,
                        ifn_token unknown, bool ignores_merges, ifn_warnings *warnings,
                        ifn_error *err);
void ifn_bpe_close(ifn_bpe *self);

typedef struct ifn_bpe_symbol {
    int32_t prev, next; /* -1: none */
    ifn_token id; /* IFN_TOKEN_NONE: a byte without a token, or merged into its left neighbour */
} ifn_bpe_symbol;

/* The working memory of encoding, kept from word to word. Each caller needs its own. */
typedef struct ifn_bpe_work {
    const ifn_bpe *bpe;
    ifn_tokens *out;
    ifn_bpe_symbol *symbols;
    size_t n_symbols;
    ifn_merge_queue queue;
    char *spelling;
    size_t n_spelling;
} ifn_bpe_work;

void ifn_bpe_work_init(ifn_bpe_work *self, const ifn_bpe *bpe, ifn_tokens *out);
void ifn_bpe_work_fini(ifn_bpe_work *self);

/* Appends the ids of a word of at most INT32_MAX bytes; an ifn_word_sink on an ifn_bpe_work. */
ifn_status ifn_bpe_encode(void *work, const uint8_t *word, size_t bytes, ifn_error *err);

#endif
