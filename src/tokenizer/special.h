/* Finds special tokens in text by their spelling: control, unknown and user-defined ones. */
#ifndef IFN_SPECIAL_H
#define IFN_SPECIAL_H

#include <stdbool.h>

#include "vocab.h"

typedef struct ifn_special_slot {
    uint64_t hash;
    ifn_token id; /* IFN_TOKEN_NONE: free */
} ifn_special_slot;

/* The special tokens of one length. */
typedef struct ifn_special_group {
    size_t bytes;
    uint64_t oldest;         /* the factor of the byte that leaves the rolling hash's window */
    unsigned types;          /* which types occur */
    uint64_t first_bytes[4]; /* a bit set: which bytes these tokens begin with */
} ifn_special_group;

typedef struct ifn_special {
    const ifn_vocab *vocab;
    const ifn_allocator *alloc;
    ifn_special_slot *slots;
    size_t n_slots;            /* a power of two, at least half of them free */
    ifn_special_group *groups; /* longest first */
    size_t n_groups, groups_capacity;
} ifn_special; /* immutable once open */

ifn_status ifn_special_open(ifn_special *self, const ifn_vocab *vocab, ifn_error *err);
void ifn_special_close(ifn_special *self);

typedef struct ifn_fragment {
    size_t begin, bytes;
    ifn_token id; /* IFN_TOKEN_NONE: ordinary text */
} ifn_fragment;

typedef struct ifn_fragments {
    const ifn_allocator *alloc;
    ifn_fragment *items;
    size_t n, capacity;
} ifn_fragments;

/*
 * Splits a text into ordinary text and the special tokens it spells. Searches the whole text for the
 * longest tokens first, then the rest of it for the next longest ones, and so on; among equally long
 * ones the leftmost wins. Without `all`, only USER_DEFINED tokens count. *out is overwritten; on
 * failure it is empty.
 */
ifn_status ifn_special_split(const ifn_special *self, const char *text, size_t bytes, bool all,
                             ifn_fragments *out, ifn_error *err);
void ifn_fragments_free(ifn_fragments *self);

#endif
