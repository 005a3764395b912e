/*
 * Replaces spaces by U+2581 and splits the text into characters. Then, as in byte-pair encoding, merges
 * neighbours whose concatenation is in the vocabulary, the highest score first, the leftmost of equals.
 * Source: SentencePiece, bpe_model.cc (arXiv:1808.06226).
 */
#include "spm.h"

#include <math.h>
#include <string.h>

#include "alloc_priv.h"
#include "grow.h"
#include "message.h"
#include "tokens.h"
#include "utf8.h"

#define SCORES_KEY  "tokenizer.ggml.scores"
#define SPACE       "\xe2\x96\x81"
#define SPACE_BYTES ((size_t)3)

/* Maps a float to an integer so that a larger float gives a smaller integer. */
static uint32_t order_of(float score)
{
    const float number = score == 0 ? 0 : score; /* -0 equals 0 */
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 31 ? bits : ~bits & 0x7fffffffu;
}

/* Reads the scores. Without the key all scores are equal and the leftmost pair merges first, as in llama.cpp
 * (src/llama-vocab.cpp: if the array of scores is missing, every score is 0). */
static ifn_status read_scores(ifn_spm *self, const ifn_gguf *gguf, ifn_error *err)
{
    const ifn_gguf_kv *scores;
    const int32_t n = self->vocab->n;
    self->order = ifn_alloc_array(self->alloc, (size_t)n, sizeof *self->order);
    if (!self->order)
        return ifn_tokenizer_nomem(err);
    if (!ifn_gguf_find(gguf, SCORES_KEY)) {
        for (int32_t i = 0; i < n; i++)
            self->order[i] = order_of(0);
        return IFN_OK;
    }
    IFN_TRY(ifn_gguf_get_array(gguf, SCORES_KEY, IFN_GGUF_FLOAT32, &scores, err));
    if (scores->count < (uint64_t)n)
        return ifn_fail_at(err, IFN_ERR_FORMAT, scores->offset,
                           "%s: " SCORES_KEY ": found %llu scores, expected %d, one per token",
                           ifn_tokenizer_file(gguf), (unsigned long long)scores->count, (int)n);
    for (int32_t i = 0; i < n; i++) {
        const float score = (float)ifn_gguf_element_float(scores, (uint64_t)i);
        if (isnan(score))
            return ifn_fail_at(err, IFN_ERR_FORMAT, scores->offset,
                               "%s: " SCORES_KEY ": element %d: found NaN, expected a number",
                               ifn_tokenizer_file(gguf), (int)i);
        self->order[i] = order_of(score);
    }
    return IFN_OK;
}

static bool is_space_at(const char *text, size_t bytes, size_t i)
{
    return bytes - i >= SPACE_BYTES && memcmp(text + i, SPACE, SPACE_BYTES) == 0;
}

/* The first place after `from` where a space follows another character; `bytes` if there is none. */
static size_t next_cut(const char *text, size_t bytes, size_t from)
{
    bool after_other = false;
    for (size_t i = from; i < bytes;) {
        const bool space = is_space_at(text, bytes, i);
        if (space && after_other)
            return i;
        after_other = !space;
        i += space ? SPACE_BYTES : 1;
    }
    return bytes;
}

/* True if no token has a space after another character. Then no merge crosses such a place, and the pieces of a
 * text between these places can be encoded one by one, which keeps the queue short. */
static bool no_entry_is_cut(const ifn_vocab *vocab)
{
    for (int32_t i = 0; i < vocab->n; i++) {
        const ifn_string text = vocab->spelling[i];
        if ((IFN_TYPES_TEXT >> vocab->type[i] & 1) &&
            next_cut(text.data, text.bytes, 0) != text.bytes)
            return false;
    }
    return true;
}

ifn_status ifn_spm_open(ifn_spm *self, const ifn_gguf *gguf, const ifn_vocab *vocab,
                        ifn_token unknown, ifn_error *err)
{
    *self = (ifn_spm){.vocab = vocab, .alloc = vocab->alloc, .unknown = unknown};
    const ifn_status status = read_scores(self, gguf, err);
    if (status != IFN_OK) {
        ifn_spm_close(self);
        return status;
    }
    for (int byte = 0; byte < 256; byte++)
        self->byte_token[byte] = ifn_vocab_find_byte(vocab, (uint8_t)byte);
    self->cuts_at_spaces = no_entry_is_cut(vocab);
    return IFN_OK;
}

void ifn_spm_close(ifn_spm *self)
{
    ifn_free_array(self->alloc, self->order, self->vocab ? (size_t)self->vocab->n : 0,
                   sizeof *self->order);
    *self = (ifn_spm){.alloc = self->alloc};
}

typedef struct symbol {
    int32_t prev, next;    /* -1: none */
    uint32_t begin, bytes; /* in the text; 0 bytes: merged into its left */
} symbol;

typedef struct work {
    const ifn_spm *spm;
    ifn_tokens *out;
    ifn_error *err;
    char *text; /* with U+2581 for spaces */
    size_t text_bytes, text_capacity;
    symbol *symbols;
    size_t n_symbols, capacity;
    ifn_merge_queue queue;
    bool after_unknown;
} work;

static ifn_status escape(work *w, const uint8_t *text, size_t bytes, bool prefix)
{
    w->text_capacity = 3 * bytes + SPACE_BYTES;
    w->text = ifn_alloc_array(w->spm->alloc, w->text_capacity, 1);
    if (!w->text)
        return ifn_tokenizer_nomem(w->err);
    char *end = w->text;
    for (size_t i = prefix ? 0 : 1; i <= bytes; i++) {
        const uint8_t c = i == 0 ? ' ' : text[i - 1];
        if (c == ' ') {
            memcpy(end, SPACE, SPACE_BYTES);
            end += SPACE_BYTES;
        } else {
            *end++ = (char)c;
        }
    }
    w->text_bytes = (size_t)(end - w->text);
    return IFN_OK;
}

static ifn_token find_pair(const work *w, int32_t left)
{
    const symbol *a = &w->symbols[left], *b = &w->symbols[a->next];
    return ifn_vocab_find(w->spm->vocab, w->text + a->begin, (size_t)a->bytes + b->bytes,
                          IFN_TYPES_TEXT);
}

static ifn_status propose(work *w, int32_t left)
{
    if (left < 0 || w->symbols[left].next < 0)
        return IFN_OK;
    const ifn_token merged = find_pair(w, left);
    if (merged == IFN_TOKEN_NONE)
        return IFN_OK;
    return ifn_merge_queue_push(&w->queue, (ifn_merge){w->spm->order[merged], left, merged},
                                w->err);
}

/* Splits text[begin .. end) into symbols: characters, and single bytes that belong to no character. */
static ifn_status split(work *w, size_t begin, size_t end)
{
    w->n_symbols = 0;
    for (size_t i = begin; i < end;) {
        void *room =
            ifn_grow(w->spm->alloc, w->symbols, &w->capacity, w->n_symbols + 1, sizeof *w->symbols);
        if (!room)
            return ifn_tokenizer_nomem(w->err);
        w->symbols = room;
        const size_t length = ifn_utf8_char((const uint8_t *)w->text + i, end - i);
        const int32_t at = (int32_t)w->n_symbols++;
        w->symbols[at] = (symbol){at - 1, at + 1, (uint32_t)i, length ? (uint32_t)length : 1};
        i += w->symbols[at].bytes;
    }
    w->symbols[w->n_symbols - 1].next = -1;
    for (size_t i = 0; i + 1 < w->n_symbols; i++)
        IFN_TRY(propose(w, (int32_t)i));
    return IFN_OK;
}

/* True if the pair is still what it was when it was pushed: symbols only grow, so a pair of the same length in the
 * same place is the same pair. */
static bool is_current(const work *w, const ifn_merge *merge)
{
    const symbol *left = &w->symbols[merge->left];
    return left->bytes > 0 && left->next >= 0 &&
           (size_t)left->bytes + w->symbols[left->next].bytes ==
               w->spm->vocab->spelling[merge->merged].bytes;
}

static void apply(work *w, const ifn_merge *merge)
{
    symbol *left = &w->symbols[merge->left];
    symbol *right = &w->symbols[left->next];
    left->bytes += right->bytes;
    left->next = right->next;
    if (right->next >= 0)
        w->symbols[right->next].prev = merge->left;
    right->bytes = 0;
}

static ifn_status merge_all(work *w)
{
    ifn_merge merge;
    while (ifn_merge_queue_pop(&w->queue, &merge)) {
        if (!is_current(w, &merge))
            continue;
        apply(w, &merge);
        IFN_TRY(propose(w, w->symbols[merge.left].prev));
        IFN_TRY(propose(w, merge.left));
    }
    return IFN_OK;
}

static bool has_byte_tokens(const work *w, const symbol *s)
{
    for (size_t i = 0; i < s->bytes; i++)
        if (w->spm->byte_token[(uint8_t)w->text[s->begin + i]] == IFN_TOKEN_NONE)
            return false;
    return true;
}

static ifn_status emit(work *w, const symbol *s)
{
    const ifn_token id =
        ifn_vocab_find(w->spm->vocab, w->text + s->begin, s->bytes, IFN_TYPES_TEXT);
    const bool again = w->after_unknown;
    w->after_unknown = false;
    if (id != IFN_TOKEN_NONE)
        return ifn_tokens_append(w->out, id, w->err);
    if (has_byte_tokens(w, s)) {
        for (size_t i = 0; i < s->bytes; i++)
            IFN_TRY(ifn_tokens_append(w->out, w->spm->byte_token[(uint8_t)w->text[s->begin + i]],
                                      w->err));
        return IFN_OK;
    }
    w->after_unknown = true;
    return again ? IFN_OK : ifn_tokens_append_if(w->out, w->spm->unknown, w->err);
}

static ifn_status encode_piece(work *w, size_t begin, size_t end)
{
    IFN_TRY(split(w, begin, end));
    IFN_TRY(merge_all(w));
    for (int32_t i = 0; i >= 0; i = w->symbols[i].next)
        IFN_TRY(emit(w, &w->symbols[i]));
    return IFN_OK;
}

static ifn_status encode_all(work *w, const uint8_t *text, size_t bytes, bool prefix)
{
    IFN_TRY(escape(w, text, bytes, prefix));
    for (size_t begin = 0, end; begin < w->text_bytes; begin = end) {
        end = w->spm->cuts_at_spaces ? next_cut(w->text, w->text_bytes, begin) : w->text_bytes;
        IFN_TRY(encode_piece(w, begin, end));
    }
    return IFN_OK;
}

ifn_status ifn_spm_encode(const ifn_spm *self, const uint8_t *text, size_t bytes, bool prefix,
                          ifn_tokens *out, ifn_error *err)
{
    work w = {.spm = self, .out = out, .err = err};
    ifn_merge_queue_init(&w.queue, self->alloc);
    const ifn_status status = encode_all(&w, text, bytes, prefix);
    ifn_free_array(self->alloc, w.text, w.text_capacity, 1);
    ifn_free_array(self->alloc, w.symbols, w.capacity, sizeof *w.symbols);
    ifn_merge_queue_fini(&w.queue);
    return status;
}
