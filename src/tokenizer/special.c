/*
 * Makes one pass over the text for each length that special tokens have, with a rolling hash (Karp and
 * Rabin, 1987): the cost of a pass depends neither on the number of tokens nor on their length.
 */
#include "special.h"

#include <string.h>

#include "alloc_priv.h"
#include "grow.h"
#include "message.h"

enum { SPECIAL_TYPES = IFN_TYPES_CONTROL | IFN_TYPES_UNKNOWN | IFN_TYPES_USER_DEFINED };

#define BASE ((uint64_t)0x9e3779b97f4a7c15u) /* odd, so that no power of it is 0 modulo 2^64 */

static uint64_t roll_in(uint64_t hash, char byte)
{
    return hash * BASE + (uint8_t)byte + 1;
}

static uint64_t hash_of(const char *text, size_t bytes)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < bytes; i++)
        hash = roll_in(hash, text[i]);
    return hash;
}

static size_t slot_of(const ifn_special *self, uint64_t hash)
{
    return (size_t)(hash >> 32) & (self->n_slots - 1);
}

static bool is_special(const ifn_vocab *vocab, ifn_token id)
{
    return (SPECIAL_TYPES >> vocab->type[id] & 1) && vocab->spelling[id].bytes > 0;
}

static bool is_spelled(const ifn_special *self, ifn_token id, const char *text, size_t bytes)
{
    const ifn_string spelling = self->vocab->spelling[id];
    return spelling.bytes == bytes && memcmp(spelling.data, text, bytes) == 0;
}

/* A special token with one of `types` that text[0 .. bytes) spells, or IFN_TOKEN_NONE. */
static ifn_token find(const ifn_special *self, uint64_t hash, const char *text, size_t bytes,
                      unsigned types)
{
    const size_t mask = self->n_slots - 1;
    for (size_t i = slot_of(self, hash); self->slots[i].id != IFN_TOKEN_NONE; i = (i + 1) & mask) {
        const ifn_special_slot slot = self->slots[i];
        if (slot.hash == hash && (types >> self->vocab->type[slot.id] & 1) &&
            is_spelled(self, slot.id, text, bytes))
            return slot.id;
    }
    return IFN_TOKEN_NONE;
}

/* Inserts a token into the hash table. If several have equal spelling and type, only the first is inserted, so that
 * chains stay short. */
static void insert(ifn_special *self, ifn_token id)
{
    const ifn_string text = self->vocab->spelling[id];
    const uint64_t hash = hash_of(text.data, text.bytes);
    if (find(self, hash, text.data, text.bytes, 1u << self->vocab->type[id]) != IFN_TOKEN_NONE)
        return;
    size_t i = slot_of(self, hash);
    while (self->slots[i].id != IFN_TOKEN_NONE)
        i = (i + 1) & (self->n_slots - 1);
    self->slots[i] = (ifn_special_slot){hash, id};
}

static ifn_status build_index(ifn_special *self, ifn_error *err)
{
    size_t n_special = 0;
    for (ifn_token id = 0; id < self->vocab->n; id++)
        n_special += is_special(self->vocab, id);
    self->n_slots = 2;
    while (self->n_slots / 2 < n_special)
        self->n_slots *= 2;
    self->slots = ifn_alloc_array(self->alloc, self->n_slots, sizeof *self->slots);
    if (!self->slots)
        return ifn_tokenizer_nomem(err);
    for (size_t i = 0; i < self->n_slots; i++)
        self->slots[i] = (ifn_special_slot){0, IFN_TOKEN_NONE};
    for (ifn_token id = 0; id < self->vocab->n; id++)
        if (is_special(self->vocab, id))
            insert(self, id);
    return IFN_OK;
}

static uint64_t weight_of_oldest(size_t bytes)
{
    uint64_t weight = 1;
    for (size_t i = 1; i < bytes; i++)
        weight *= BASE;
    return weight;
}

/* The index at which the group of a length stands or belongs; groups are sorted, longest first. */
static size_t place_of(const ifn_special *self, size_t bytes)
{
    size_t low = 0, high = self->n_groups;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->groups[middle].bytes > bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static ifn_status add_to_group(ifn_special *self, ifn_token id, ifn_error *err)
{
    const ifn_string text = self->vocab->spelling[id];
    const size_t at = place_of(self, text.bytes);
    if (at == self->n_groups || self->groups[at].bytes != text.bytes) {
        void *room = ifn_grow(self->alloc, self->groups, &self->groups_capacity, self->n_groups + 1,
                              sizeof *self->groups);
        if (!room)
            return ifn_tokenizer_nomem(err);
        self->groups = room;
        memmove(self->groups + at + 1, self->groups + at,
                (self->n_groups - at) * sizeof *self->groups);
        self->groups[at] =
            (ifn_special_group){.bytes = text.bytes, .oldest = weight_of_oldest(text.bytes)};
        self->n_groups++;
    }
    const uint8_t first = (uint8_t)text.data[0];
    self->groups[at].types |= 1u << self->vocab->type[id];
    self->groups[at].first_bytes[first >> 6] |= (uint64_t)1 << (first & 63);
    return IFN_OK;
}

static ifn_status build_groups(ifn_special *self, ifn_error *err)
{
    for (ifn_token id = 0; id < self->vocab->n; id++)
        if (is_special(self->vocab, id))
            IFN_TRY(add_to_group(self, id, err));
    return IFN_OK;
}

ifn_status ifn_special_open(ifn_special *self, const ifn_vocab *vocab, ifn_error *err)
{
    *self = (ifn_special){.vocab = vocab, .alloc = vocab->alloc};
    ifn_status status = build_index(self, err);
    if (status == IFN_OK)
        status = build_groups(self, err);
    if (status != IFN_OK)
        ifn_special_close(self);
    return status;
}

void ifn_special_close(ifn_special *self)
{
    ifn_free_array(self->alloc, self->slots, self->n_slots, sizeof *self->slots);
    ifn_free_array(self->alloc, self->groups, self->groups_capacity, sizeof *self->groups);
    *self = (ifn_special){.alloc = self->alloc};
}

void ifn_fragments_free(ifn_fragments *self)
{
    ifn_free_array(self->alloc, self->items, self->capacity, sizeof *self->items);
    *self = (ifn_fragments){.alloc = self->alloc};
}

static ifn_status push(ifn_fragments *self, size_t begin, size_t end, ifn_token id, ifn_error *err)
{
    if (begin == end)
        return IFN_OK;
    void *items =
        ifn_grow(self->alloc, self->items, &self->capacity, self->n + 1, sizeof *self->items);
    if (!items)
        return ifn_tokenizer_nomem(err);
    self->items = items;
    self->items[self->n++] = (ifn_fragment){begin, end - begin, id};
    return IFN_OK;
}

/* One pass over the text, for the special tokens of one length. */
typedef struct pass {
    const ifn_special *special;
    const ifn_special_group *group;
    const char *text;
    unsigned types;
    ifn_fragments *out;
    ifn_error *err;
} pass;

static ifn_token token_at(const pass *p, uint64_t hash, size_t at)
{
    const uint8_t first = (uint8_t)p->text[at];
    if (!(p->group->first_bytes[first >> 6] >> (first & 63) & 1))
        return IFN_TOKEN_NONE;
    return find(p->special, hash, p->text + at, p->group->bytes, p->types);
}

static ifn_status split_text(const pass *p, size_t begin, size_t end)
{
    const size_t length = p->group->bytes;
    size_t done = begin, at = begin;
    uint64_t hash = end - at >= length ? hash_of(p->text + at, length) : 0;
    while (end - at >= length) {
        const ifn_token id = token_at(p, hash, at);
        if (id != IFN_TOKEN_NONE) {
            IFN_TRY(push(p->out, done, at, IFN_TOKEN_NONE, p->err));
            IFN_TRY(push(p->out, at, at + length, id, p->err));
            done = at += length;
            hash = end - at >= length ? hash_of(p->text + at, length) : 0;
        } else if (++at, end - at >= length) {
            const uint64_t left = (uint64_t)(uint8_t)p->text[at - 1] + 1;
            hash = roll_in(hash - left * p->group->oldest, p->text[at + length - 1]);
        }
    }
    return push(p->out, done, end, IFN_TOKEN_NONE, p->err);
}

static ifn_status run_pass(const pass *p, const ifn_fragments *in)
{
    for (size_t i = 0; i < in->n; i++) {
        const ifn_fragment f = in->items[i];
        if (f.id == IFN_TOKEN_NONE)
            IFN_TRY(split_text(p, f.begin, f.begin + f.bytes));
        else
            IFN_TRY(push(p->out, f.begin, f.begin + f.bytes, f.id, p->err));
    }
    return IFN_OK;
}

static ifn_status run_passes(const ifn_special *self, const char *text, unsigned types,
                             ifn_fragments *fragments, ifn_fragments *next, ifn_error *err)
{
    for (size_t i = 0; i < self->n_groups; i++) {
        if (!(self->groups[i].types & types))
            continue;
        next->n = 0;
        IFN_TRY(run_pass(&(pass){self, &self->groups[i], text, types, next, err}, fragments));
        const ifn_fragments swap = *fragments;
        *fragments = *next;
        *next = swap;
    }
    return IFN_OK;
}

ifn_status ifn_special_split(const ifn_special *self, const char *text, size_t bytes, bool all,
                             ifn_fragments *out, ifn_error *err)
{
    const unsigned types = all ? SPECIAL_TYPES : IFN_TYPES_USER_DEFINED;
    ifn_fragments next = {.alloc = self->alloc};
    *out = next;
    ifn_status status = push(out, 0, bytes, IFN_TOKEN_NONE, err);
    if (status == IFN_OK)
        status = run_passes(self, text, types, out, &next, err);
    ifn_fragments_free(&next);
    if (status != IFN_OK)
        ifn_fragments_free(out);
    return status;
}
