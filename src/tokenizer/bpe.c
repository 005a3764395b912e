/*
 * A word starts as its bytes. In each step, the pair of neighbours whose merge comes first in the list
 * is replaced by the merged token, the leftmost pair first; a heap of candidates makes this O(n log n).
 * Source: Sennrich et al., arXiv:1508.07909; GPT-2's encoder.py.
 */
#include "bpe.h"

#include <string.h>

#include "alloc_priv.h"
#include "bytemap.h"
#include "grow.h"
#include "message.h"
#include "tokens.h"
#include "utf8.h"

#define MERGES_KEY "tokenizer.ggml.merges"
#define NO_RANK    UINT32_MAX

enum { WORD_TYPES = IFN_TYPES_TEXT | IFN_TYPES_BYTE };

static size_t slot_of(const ifn_bpe *self, ifn_token left, ifn_token right)
{
    const uint64_t pair = (uint64_t)(uint32_t)left << 32 | (uint32_t)right;
    const uint64_t hash = pair * 0x9e3779b97f4a7c15u;
    return (size_t)(hash >> 32) & (self->n_slots - 1);
}

/* The slot that holds the pair, or the free one where it would go. */
static uint32_t *find_slot(const ifn_bpe *self, ifn_token left, ifn_token right)
{
    for (size_t i = slot_of(self, left, right);; i = (i + 1) & (self->n_slots - 1)) {
        uint32_t *slot = &self->slots[i];
        if (*slot == NO_RANK ||
            (self->rules[*slot].left == left && self->rules[*slot].right == right))
            return slot;
    }
}

static ifn_status build_index(ifn_bpe *self, ifn_error *err)
{
    self->n_slots = 16;
    while (self->n_slots / 3 * 2 < self->n_rules)
        self->n_slots *= 2;
    self->slots = ifn_alloc_array(self->alloc, self->n_slots, sizeof *self->slots);
    if (!self->slots)
        return ifn_tokenizer_nomem(err);
    memset(self->slots, 0xff, self->n_slots * sizeof *self->slots);
    for (size_t rank = 0; rank < self->n_rules; rank++) {
        const ifn_bpe_rule rule = self->rules[rank];
        uint32_t *slot = rule.left < 0 ? NULL : find_slot(self, rule.left, rule.right);
        if (slot && *slot == NO_RANK)
            *slot = (uint32_t)rank;
    }
    return IFN_OK;
}

/* The two sides of a merge "left right"; `right` is empty if there is no space between two parts. */
typedef struct two_parts {
    ifn_string left, right;
} two_parts;

static two_parts split(ifn_string text)
{
    const char *space = text.bytes > 2 ? memchr(text.data + 1, ' ', text.bytes - 2) : NULL;
    const size_t n_left = space ? (size_t)(space - text.data) : text.bytes;
    return (two_parts){{text.data, n_left},
                       {text.data + n_left + 1, space ? text.bytes - n_left - 1 : 0}};
}

static bool has_two_parts(two_parts m)
{
    return m.right.bytes > 0 && !memchr(m.right.data, ' ', m.right.bytes);
}

static ifn_token token_of(const ifn_vocab *vocab, ifn_string text)
{
    return ifn_vocab_find(vocab, text.data, text.bytes, WORD_TYPES);
}

/* The rule of a merge. `joined` is scratch with room for both sides. */
static ifn_bpe_rule rule_of(const ifn_vocab *vocab, two_parts m, char *joined)
{
    memcpy(joined, m.left.data, m.left.bytes);
    memcpy(joined + m.left.bytes, m.right.data, m.right.bytes);
    return (ifn_bpe_rule){.left = token_of(vocab, m.left),
                          .right = token_of(vocab, m.right),
                          .merged =
                              token_of(vocab, (ifn_string){joined, m.left.bytes + m.right.bytes})};
}

/* True if a loader that merges text could meet this side of a merge: it is a token, or a single character, which
 * can be a side even without a token. */
static bool may_occur(ifn_token id, ifn_string text)
{
    return id != IFN_TOKEN_NONE ||
           ifn_utf8_char((const uint8_t *)text.data, text.bytes) == text.bytes;
}

/* The state of reading the list of merges. */
typedef struct rule_reader {
    ifn_bpe *bpe;
    const ifn_gguf *gguf;
    const ifn_gguf_kv *merges;
    char *joined;
    size_t capacity, n_dead, first_dead;
    ifn_error *err;
} rule_reader;

static ifn_status refuse(const rule_reader *r, size_t rank, ifn_string text, const char *expected)
{
    return ifn_fail_at(r->err, IFN_ERR_FORMAT, r->merges->offset,
                       "%s: " MERGES_KEY ": element %zu: found '%.*s', expected %s",
                       ifn_tokenizer_file(r->gguf), rank, ifn_tokenizer_quoted(text), text.data,
                       expected);
}

static ifn_status read_rule(rule_reader *r, size_t rank, ifn_string text)
{
    const two_parts m = split(text);
    if (!has_two_parts(m))
        return refuse(r, rank, text, "two parts and a space between them");
    const ifn_bpe_rule rule = rule_of(r->bpe->vocab, m, r->joined);
    const bool is_whole = rule.left >= 0 && rule.right >= 0 && rule.merged >= 0;
    if (!is_whole && may_occur(rule.left, m.left) && may_occur(rule.right, m.right))
        return refuse(r, rank, text, "two tokens that together are a third");
    r->bpe->rules[rank] = is_whole ? rule : (ifn_bpe_rule){.left = IFN_TOKEN_NONE};
    if (!is_whole && r->n_dead++ == 0)
        r->first_dead = rank;
    return IFN_OK;
}

static ifn_status read_rules_with(rule_reader *r)
{
    uint64_t cursor = 0;
    for (size_t rank = 0; rank < r->bpe->n_rules; rank++) {
        const ifn_string text = ifn_gguf_next_string(r->gguf, r->merges, &cursor);
        void *room = ifn_grow(r->bpe->alloc, r->joined, &r->capacity, text.bytes, 1);
        if (!room)
            return ifn_tokenizer_nomem(r->err);
        r->joined = room;
        IFN_TRY(read_rule(r, rank, text));
    }
    return IFN_OK;
}

static ifn_status read_rules(ifn_bpe *self, const ifn_gguf *gguf, ifn_warnings *warnings,
                             ifn_error *err)
{
    const ifn_gguf_kv *merges;
    IFN_TRY(ifn_gguf_get_array(gguf, MERGES_KEY, IFN_GGUF_STRING, &merges, err));
    if (merges->count > INT32_MAX)
        return ifn_fail_at(err, IFN_ERR_FORMAT, merges->offset,
                           "%s: " MERGES_KEY ": found %llu merges, expected at most %d",
                           ifn_tokenizer_file(gguf), (unsigned long long)merges->count, INT32_MAX);
    self->n_rules = (size_t)merges->count;
    self->rules = ifn_alloc_array(self->alloc, self->n_rules, sizeof *self->rules);
    if (!self->rules)
        return ifn_tokenizer_nomem(err);
    rule_reader r = {.bpe = self, .gguf = gguf, .merges = merges, .err = err};
    const ifn_status status = read_rules_with(&r);
    ifn_free_array(self->alloc, r.joined, r.capacity, 1);
    if (r.n_dead > 0)
        ifn_warn(warnings,
                 MERGES_KEY ": %zu of %zu can never apply, a part is no token: the first is "
                            "element %zu",
                 r.n_dead, self->n_rules, r.first_dead);
    return status;
}

static void find_byte_tokens(ifn_bpe *self)
{
    for (int byte = 0; byte < 256; byte++) {
        char text[2];
        const size_t bytes = ifn_bytemap_spell((uint8_t)byte, text);
        self->byte_token[byte] = ifn_vocab_find(self->vocab, text, bytes, WORD_TYPES);
    }
}

ifn_status ifn_bpe_open(ifn_bpe *self, const ifn_gguf *gguf, const ifn_vocab *vocab,
                        ifn_token unknown, bool ignores_merges, ifn_warnings *warnings,
                        ifn_error *err)
{
    *self = (ifn_bpe){.vocab = vocab,
                      .alloc = vocab->alloc,
                      .unknown = unknown,
                      .ignores_merges = ignores_merges};
    ifn_status status = read_rules(self, gguf, warnings, err);
    if (status == IFN_OK)
        status = build_index(self, err);
    if (status == IFN_OK)
        find_byte_tokens(self);
    else
        ifn_bpe_close(self);
    return status;
}

void ifn_bpe_close(ifn_bpe *self)
{
    ifn_free_array(self->alloc, self->rules, self->n_rules, sizeof *self->rules);
    ifn_free_array(self->alloc, self->slots, self->n_slots, sizeof *self->slots);
    *self = (ifn_bpe){.alloc = self->alloc};
}

void ifn_bpe_work_init(ifn_bpe_work *self, const ifn_bpe *bpe, ifn_tokens *out)
{
    *self = (ifn_bpe_work){.bpe = bpe, .out = out};
    ifn_merge_queue_init(&self->queue, bpe->alloc);
}

void ifn_bpe_work_fini(ifn_bpe_work *self)
{
    ifn_free_array(self->bpe->alloc, self->symbols, self->n_symbols, sizeof *self->symbols);
    ifn_free_array(self->bpe->alloc, self->spelling, self->n_spelling, 1);
    ifn_merge_queue_fini(&self->queue);
}

/* The id of the word as a whole, or IFN_TOKEN_NONE. */
static ifn_status find_whole(ifn_bpe_work *self, const uint8_t *word, size_t bytes, ifn_token *out,
                             ifn_error *err)
{
    *out = IFN_TOKEN_NONE;
    if (bytes > self->bpe->vocab->longest)
        return IFN_OK;
    void *room = ifn_grow(self->bpe->alloc, self->spelling, &self->n_spelling, 2 * bytes, 1);
    if (!room)
        return ifn_tokenizer_nomem(err);
    self->spelling = room;
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += ifn_bytemap_spell(word[i], self->spelling + n);
    *out = ifn_vocab_find(self->bpe->vocab, self->spelling, n, WORD_TYPES);
    return IFN_OK;
}

/* Pushes the pair of symbol `left` and its right neighbour on the queue, if the two can be merged. */
static ifn_status propose(ifn_bpe_work *self, int32_t left, ifn_error *err)
{
    const ifn_bpe *bpe = self->bpe;
    const int32_t right = left < 0 ? -1 : self->symbols[left].next;
    if (right < 0 || self->symbols[left].id < 0 || self->symbols[right].id < 0)
        return IFN_OK;
    const uint32_t rank = *find_slot(bpe, self->symbols[left].id, self->symbols[right].id);
    if (rank == NO_RANK)
        return IFN_OK;
    return ifn_merge_queue_push(&self->queue, (ifn_merge){rank, left, bpe->rules[rank].merged},
                                err);
}

static ifn_status start(ifn_bpe_work *self, const uint8_t *word, size_t bytes, ifn_error *err)
{
    void *room =
        ifn_grow(self->bpe->alloc, self->symbols, &self->n_symbols, bytes, sizeof *self->symbols);
    if (!room)
        return ifn_tokenizer_nomem(err);
    self->symbols = room;
    const int32_t n = (int32_t)bytes;
    for (int32_t i = 0; i < n; i++)
        self->symbols[i] =
            (ifn_bpe_symbol){i - 1, i + 1 < n ? i + 1 : -1, self->bpe->byte_token[word[i]]};
    for (int32_t i = 0; i + 1 < n; i++)
        IFN_TRY(propose(self, i, err));
    return IFN_OK;
}

/* True if both symbols of the pair are still what they were when it was pushed: an earlier merge may have used one. */
static bool is_current(const ifn_bpe_work *self, const ifn_merge *merge)
{
    const ifn_bpe_rule *rule = &self->bpe->rules[merge->order];
    const ifn_bpe_symbol *left = &self->symbols[merge->left];
    return left->id == rule->left && left->next >= 0 && self->symbols[left->next].id == rule->right;
}

static void apply(ifn_bpe_work *self, const ifn_merge *merge)
{
    ifn_bpe_symbol *left = &self->symbols[merge->left];
    ifn_bpe_symbol *right = &self->symbols[left->next];
    left->id = merge->merged;
    left->next = right->next;
    if (right->next >= 0)
        self->symbols[right->next].prev = merge->left;
    right->id = IFN_TOKEN_NONE;
    right->next = -1;
}

static ifn_status merge_all(ifn_bpe_work *self, ifn_error *err)
{
    ifn_merge merge;
    while (ifn_merge_queue_pop(&self->queue, &merge)) {
        if (!is_current(self, &merge))
            continue;
        apply(self, &merge);
        IFN_TRY(propose(self, self->symbols[merge.left].prev, err));
        IFN_TRY(propose(self, merge.left, err));
    }
    return IFN_OK;
}

ifn_status ifn_bpe_encode(void *work, const uint8_t *word, size_t bytes, ifn_error *err)
{
    ifn_bpe_work *self = work;
    ifn_token whole = IFN_TOKEN_NONE;
    if (self->bpe->ignores_merges)
        IFN_TRY(find_whole(self, word, bytes, &whole, err));
    if (whole != IFN_TOKEN_NONE)
        return ifn_tokens_append(self->out, whole, err);
    IFN_TRY(start(self, word, bytes, err));
    IFN_TRY(merge_all(self, err));
    for (int32_t i = 0; i >= 0; i = self->symbols[i].next) {
        const ifn_token id = self->symbols[i].id;
        IFN_TRY(ifn_tokens_append_if(self->out, id < 0 ? self->bpe->unknown : id, err));
    }
    return IFN_OK;
}
