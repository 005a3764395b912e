#include "vocab.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "alloc_priv.h"
#include "bytes.h"
#include "message.h"

#define TOKENS_KEY "tokenizer.ggml.tokens"
#define TYPES_KEY  "tokenizer.ggml.token_type"

static uint32_t hash_of(const char *text, size_t bytes)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u; /* the golden ratio: spreads neighbouring values */
    uint64_t h = bytes;
    for (; bytes >= 8; text += 8, bytes -= 8) {
        h = (h ^ ifn_load_u64le(text)) * odd;
        h ^= h >> 32;
    }
    uint64_t tail = 0;
    for (size_t i = 0; i < bytes; i++)
        tail |= (uint64_t)(uint8_t)text[i] << 8 * i;
    h = (h ^ tail) * odd;
    return (uint32_t)(h >> 32);
}

static bool is_spelled(const ifn_vocab *self, ifn_token id, const char *text, size_t bytes)
{
    return self->spelling[id].bytes == bytes && memcmp(self->spelling[id].data, text, bytes) == 0;
}

ifn_token ifn_vocab_find(const ifn_vocab *self, const char *text, size_t bytes, unsigned types)
{
    if (bytes > self->longest)
        return IFN_TOKEN_NONE;
    const uint32_t hash = hash_of(text, bytes);
    const size_t mask = self->n_slots - 1;
    for (size_t i = hash & mask; self->slots[i].id != IFN_TOKEN_NONE; i = (i + 1) & mask) {
        const ifn_vocab_slot slot = self->slots[i];
        if (slot.hash == hash && (types >> self->type[slot.id] & 1) &&
            is_spelled(self, slot.id, text, bytes))
            return slot.id;
    }
    return IFN_TOKEN_NONE;
}

ifn_token ifn_vocab_find_byte(const ifn_vocab *self, uint8_t byte)
{
    char text[8];
    const int bytes = snprintf(text, sizeof text, "<0x%02X>", byte);
    return ifn_vocab_find(self, text, (size_t)bytes, IFN_TYPES_BYTE | IFN_TYPES_NORMAL);
}

static void insert(ifn_vocab *self, ifn_token id)
{
    const ifn_string text = self->spelling[id];
    const uint32_t hash = hash_of(text.data, text.bytes);
    const size_t mask = self->n_slots - 1;
    size_t i = hash & mask;
    while (self->slots[i].id != IFN_TOKEN_NONE)
        i = (i + 1) & mask;
    self->slots[i] = (ifn_vocab_slot){hash, id};
}

/* Builds the hash table. Equal spellings get one slot per type, so chains stay short even if a file repeats a
 * spelling a million times. */
static ifn_status build_index(ifn_vocab *self, ifn_error *err)
{
    self->n_slots = 16;
    while (self->n_slots / 3 * 2 < (size_t)self->n)
        self->n_slots *= 2;
    self->slots = ifn_alloc_array(self->alloc, self->n_slots, sizeof *self->slots);
    if (!self->slots)
        return ifn_tokenizer_nomem(err);
    for (size_t i = 0; i < self->n_slots; i++)
        self->slots[i] = (ifn_vocab_slot){0, IFN_TOKEN_NONE};
    for (ifn_token id = 0; id < self->n; id++) {
        const ifn_string text = self->spelling[id];
        if (text.bytes > self->longest)
            self->longest = text.bytes;
        if (text.bytes && ifn_vocab_find(self, text.data, text.bytes, 1u << self->type[id]) < 0)
            insert(self, id);
    }
    return IFN_OK;
}

static ifn_status read_spellings(ifn_vocab *self, const ifn_gguf *gguf, const ifn_gguf_kv *tokens,
                                 ifn_error *err)
{
    self->spelling = ifn_alloc_array(self->alloc, (size_t)self->n, sizeof *self->spelling);
    if (!self->spelling)
        return ifn_tokenizer_nomem(err);
    uint64_t cursor = 0;
    for (int32_t i = 0; i < self->n; i++)
        self->spelling[i] = ifn_gguf_next_string(gguf, tokens, &cursor);
    return IFN_OK;
}

static ifn_status find_types(const ifn_vocab *self, const ifn_gguf *gguf, const ifn_gguf_kv **out,
                             ifn_error *err)
{
    *out = NULL;
    if (!ifn_gguf_find(gguf, TYPES_KEY))
        return IFN_OK;
    const ifn_gguf_kv *types;
    IFN_TRY(ifn_gguf_get_array(gguf, TYPES_KEY, IFN_GGUF_INT32, &types, err));
    if (types->count < (uint64_t)self->n)
        return ifn_fail_at(err, IFN_ERR_FORMAT, types->offset,
                           "%s: " TYPES_KEY ": found %llu types, expected %d, one per token",
                           ifn_tokenizer_file(gguf), (unsigned long long)types->count,
                           (int)self->n);
    *out = types;
    return IFN_OK;
}

enum { UNDEFINED = 0 };

/* Reads the type of token i; counts those of type 0 in *n_undefined. */
static ifn_status read_type(ifn_vocab *self, const ifn_gguf *gguf, const ifn_gguf_kv *types,
                            int32_t i, int32_t *n_undefined, ifn_error *err)
{
    const int64_t type = ifn_gguf_element_int(types, (uint64_t)i);
    if (type < UNDEFINED || type > IFN_TOKEN_BYTE)
        return ifn_fail_at(err, IFN_ERR_FORMAT, types->offset,
                           "%s: " TYPES_KEY ": token %d: found type %lld, expected %d .. %d",
                           ifn_tokenizer_file(gguf), (int)i, (long long)type, IFN_TOKEN_NORMAL,
                           IFN_TOKEN_BYTE);
    *n_undefined += type == UNDEFINED;
    self->type[i] = type == UNDEFINED ? IFN_TOKEN_UNUSED : (uint8_t)type;
    return IFN_OK;
}

static ifn_status read_types(ifn_vocab *self, const ifn_gguf *gguf, ifn_warnings *warnings,
                             ifn_error *err)
{
    int32_t n_undefined = 0;
    const ifn_gguf_kv *types;
    IFN_TRY(find_types(self, gguf, &types, err));
    self->type = ifn_alloc_array(self->alloc, (size_t)self->n, sizeof *self->type);
    if (!self->type)
        return ifn_tokenizer_nomem(err);
    memset(self->type, IFN_TOKEN_NORMAL, (size_t)self->n);
    for (int32_t i = 0; types && i < self->n; i++)
        IFN_TRY(read_type(self, gguf, types, i, &n_undefined, err));
    if (n_undefined > 0)
        ifn_warn(warnings, TYPES_KEY ": %d of %d tokens have type 0, undefined; taken as unused",
                 (int)n_undefined, (int)self->n);
    return IFN_OK;
}

static ifn_status fill(ifn_vocab *self, const ifn_gguf *gguf, ifn_warnings *warnings,
                       ifn_error *err)
{
    const ifn_gguf_kv *tokens;
    IFN_TRY(ifn_gguf_get_array(gguf, TOKENS_KEY, IFN_GGUF_STRING, &tokens, err));
    if (tokens->count == 0 || tokens->count > INT32_MAX)
        return ifn_fail_at(err, IFN_ERR_FORMAT, tokens->offset,
                           "%s: " TOKENS_KEY ": found %llu tokens, expected 1 to %d",
                           ifn_tokenizer_file(gguf), (unsigned long long)tokens->count, INT32_MAX);
    self->n = (int32_t)tokens->count;
    IFN_TRY(read_spellings(self, gguf, tokens, err));
    IFN_TRY(read_types(self, gguf, warnings, err));
    return build_index(self, err);
}

ifn_status ifn_vocab_open(ifn_vocab *self, const ifn_gguf *gguf, const ifn_allocator *alloc,
                          ifn_warnings *warnings, ifn_error *err)
{
    *self = (ifn_vocab){.alloc = alloc};
    const ifn_status status = fill(self, gguf, warnings, err);
    if (status != IFN_OK)
        ifn_vocab_close(self);
    return status;
}

void ifn_vocab_close(ifn_vocab *self)
{
    ifn_free_array(self->alloc, self->spelling, (size_t)self->n, sizeof *self->spelling);
    ifn_free_array(self->alloc, self->type, (size_t)self->n, sizeof *self->type);
    ifn_free_array(self->alloc, self->slots, self->n_slots, sizeof *self->slots);
    *self = (ifn_vocab){.alloc = self->alloc};
}
