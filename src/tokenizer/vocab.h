/* The vocabulary: spellings by id, ids by spelling. The spellings stay in the mapped file. */
#ifndef IFN_VOCAB_H
#define IFN_VOCAB_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/gguf.h>
#include <inferno/tokenizer.h>

#include "warnings.h"

typedef struct ifn_vocab_slot {
    uint32_t hash;
    ifn_token id; /* IFN_TOKEN_NONE: free */
} ifn_vocab_slot;

typedef struct ifn_vocab {
    const ifn_allocator *alloc;
    ifn_string *spelling; /* [n], borrowed from the gguf */
    uint8_t *type;        /* [n], ifn_token_type */
    int32_t n;
    size_t longest; /* bytes of the longest spelling */
    ifn_vocab_slot *slots;
    size_t n_slots; /* a power of two, at least a third of them free */
} ifn_vocab;

/* A set of token types, for lookups. */
enum {
#define IFN_TYPE_BIT(NAME) IFN_TYPES_##NAME = 1 << IFN_TOKEN_##NAME
    IFN_TYPE_BIT(NORMAL),
    IFN_TYPE_BIT(UNKNOWN),
    IFN_TYPE_BIT(CONTROL),
    IFN_TYPE_BIT(USER_DEFINED),
    IFN_TYPE_BIT(UNUSED),
    IFN_TYPE_BIT(BYTE),
#undef IFN_TYPE_BIT
    IFN_TYPES_ANY = (1 << 7) - 1,
    /* the types that ordinary text may become: text that spells a control token such as <s> does not become it */
    IFN_TYPES_TEXT = IFN_TYPES_NORMAL | IFN_TYPES_USER_DEFINED | IFN_TYPES_UNUSED
};

/*
 * Reads tokenizer.ggml.tokens and tokenizer.ggml.token_type. In a vocabulary without types all tokens
 * are NORMAL. Type 0 (undefined in llama.cpp) counts as UNUSED, with a warning; any other type that
 * the format does not define is an error. On failure *self is empty.
 */
ifn_status ifn_vocab_open(ifn_vocab *self, const ifn_gguf *gguf, const ifn_allocator *alloc,
                          ifn_warnings *warnings, ifn_error *err);
void ifn_vocab_close(ifn_vocab *self);

/*
 * The id of the token with this spelling and a type in `types`, or IFN_TOKEN_NONE. If several have the
 * same spelling and type, the first counts. The empty spelling is never found.
 */
ifn_token ifn_vocab_find(const ifn_vocab *self, const char *text, size_t bytes, unsigned types);

/* The id of "<0x0A>" for 0x0a, or IFN_TOKEN_NONE. */
ifn_token ifn_vocab_find_byte(const ifn_vocab *self, uint8_t byte);

#endif
