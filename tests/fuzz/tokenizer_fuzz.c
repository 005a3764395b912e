/*
 * Any text to ids and back, with a small vocabulary of every kind; or any ids to text. Every text has ids, all in the
 * vocabulary; if each byte has an entry of its own, decoding gives the text again. What the detokenizer hands out ends
 * where characters end.
 *
 * Input: vocabulary, flags, then the text; with the flag AS_IDS two bytes for an id.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "pretokenize.h"
#include "tiny_gguf.h"
#include "utf8.h"

#define SP "\xe2\x96\x81"
#define G  "\xc4\xa0"

enum { AS_IDS = 1 << 7, SHOW = 1 << 6, CONTINUE = 1 << 5 }; /* below them: of ifn_tokenize */

static const char *const b_tokens[] = {
    "<|im_end|>", "<|im_start|>", "<think>", "<unk>", "he", "llo", G "he", "lo", "<",
    "|",          "00",           "h",       "e",     "l",  "o",   "0",    G,    NULL};
static const int32_t b_types[] = {3, 3, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const char *const b_merges[] = {"h e", "l o", "l lo", G " he", "0 0", NULL};
static const char *const s_tokens[] = {"<unk>", "<s>", "</s>", SP,     "a",        "b",
                                       SP "a",  "ab",  SP SP,  "b" SP, "\xc3\xa9", NULL};
static const int32_t s_types[] = {2, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1};
static const float s_scores[] = {0, 0, 0, -9, -9, -9, -1, -2, -3, -4, -5};

enum { N_KINDS = 32 };
static struct {
    tiny_gguf file;
    ifn_tokenizer *tokenizer;
    int has_bytes, is_pieces;
} kinds[N_KINDS];
static uint32_t n_kinds;

static void add_kind(const tiny_vocab *vocab)
{
    kinds[n_kinds].tokenizer = tiny_tokenizer(&kinds[n_kinds].file, vocab);
    kinds[n_kinds].has_bytes = vocab->with_bytes;
    kinds[n_kinds].is_pieces = strcmp(vocab->model, "llama") == 0;
    n_kinds++;
}

/* Closes the tokenizers: Valgrind would report the memory of a compiled pattern, as it finds no pointer to its
 * beginning. */
static void close_kinds(void)
{
    while (n_kinds > 0)
        ifn_tokenizer_close(kinds[--n_kinds].tokenizer);
}

static void open_kinds(void)
{
    atexit(close_kinds);
    for (int with_bytes = 0; with_bytes < 2; with_bytes++) {
        for (size_t r = 0; ifn_pre_rule_at(r); r++)
            add_kind(&(tiny_vocab){.model = "gpt2",
                                   .pre = ifn_pre_rule_at(r)->names[0],
                                   .tokens = b_tokens,
                                   .with_bytes = with_bytes,
                                   .types = b_types,
                                   .merges = b_merges});
        add_kind(&(tiny_vocab){.model = "llama",
                               .tokens = s_tokens,
                               .with_bytes = with_bytes,
                               .types = s_types,
                               .scores = s_scores});
    }
}

/* The text of ids. If all of it is UTF-8, only the last piece may end inside a character. A byte that turns out to
 * belong to no character is handed out alone. */
typedef struct text {
    char data[1 << 16];
    size_t bytes;
    int may_end_anywhere;
} text;

static ifn_status keep(void *cookie, const char *data, size_t bytes)
{
    text *t = cookie;
    FUZZ_EXPECT(t->bytes + bytes <= sizeof t->data);
    memcpy(t->data + t->bytes, data, bytes);
    t->bytes += bytes;
    FUZZ_EXPECT(t->may_end_anywhere || ifn_utf8_unfinished((const uint8_t *)data, bytes) == 0);
    return IFN_OK;
}

static const text *decoded(const ifn_tokenizer *tokenizer, const ifn_token *ids, size_t n,
                           uint32_t flags, int is_utf8)
{
    static text t;
    ifn_detokenizer d = IFN_DETOKENIZER_INIT;
    ifn_error err = {.status = IFN_OK};
    t.bytes = 0;
    t.may_end_anywhere = !is_utf8;
    ifn_detokenizer_init(&d, tokenizer, flags);
    for (size_t i = 0; i < n; i++)
        FUZZ_EXPECT(ifn_detokenizer_push(&d, ids[i], keep, &t, &err) == IFN_OK);
    t.may_end_anywhere = 1;
    FUZZ_EXPECT(ifn_detokenizer_flush(&d, keep, &t, &err) == IFN_OK);
    return &t;
}

static int is_utf8(const uint8_t *data, size_t bytes)
{
    size_t n = 1;
    while (bytes > 0 && (n = ifn_utf8_char(data, bytes)) > 0) {
        data += n;
        bytes -= n;
    }
    return bytes == 0;
}

static void expect_text(uint32_t kind, const uint8_t *data, size_t bytes, uint32_t flags)
{
    const ifn_tokenizer *t = kinds[kind].tokenizer;
    ifn_tokens ids;
    ifn_error err = {.status = IFN_OK, .text = ""};
    const ifn_status status = ifn_tokenize(t, (const char *)data, bytes, flags, &ids, &err);
    fuzz_expect_said(status, &err);
    FUZZ_EXPECT(status == IFN_OK);
    for (size_t i = 0; i < ids.n; i++)
        FUZZ_EXPECT(ids.ids[i] >= 0 && ids.ids[i] < ifn_tokenizer_n_vocab(t));
    const text *back = decoded(t, ids.ids, ids.n, 0, is_utf8(data, bytes));
    /* U+2581 is how SentencePiece writes a space, and comes back as one. */
    int comes_back = kinds[kind].has_bytes && flags & IFN_TOKENIZE_NO_SPECIAL;
    for (size_t i = 0; kinds[kind].is_pieces && i + 3 <= bytes; i++)
        comes_back = comes_back && memcmp(data + i, SP, 3) != 0;
    if (comes_back)
        FUZZ_EXPECT(back->bytes == bytes && (bytes == 0 || memcmp(back->data, data, bytes) == 0));
    ifn_tokens_free(&ids);
}

static void expect_ids_refused(const ifn_tokenizer *t, ifn_token id)
{
    ifn_detokenizer d = IFN_DETOKENIZER_INIT;
    text unused = {.bytes = 0};
    ifn_error err = {.status = IFN_OK, .text = ""};
    ifn_detokenizer_init(&d, t, 0);
    fuzz_expect_said(ifn_detokenizer_push(&d, id, keep, &unused, &err), &err);
    FUZZ_EXPECT(err.status == IFN_ERR_ARGUMENT && unused.bytes == 0);
}

static void feed_ids(uint32_t kind, fuzz_bytes *in, uint32_t flags)
{
    const ifn_tokenizer *t = kinds[kind].tokenizer;
    ifn_token ids[1024];
    size_t n = 0;
    while (in->left > 0 && n < sizeof ids / sizeof *ids) {
        const ifn_token id = (int16_t)fuzz_u64(in, 2);
        if (id >= 0 && id < ifn_tokenizer_n_vocab(t))
            ids[n++] = id;
        else
            expect_ids_refused(t, id);
    }
    (void)decoded(t, ids, n,
                  (flags & SHOW ? IFN_DETOKENIZE_SHOW_SPECIAL : 0u) |
                      (flags & CONTINUE ? IFN_DETOKENIZE_CONTINUE : 0u),
                  0);
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    fuzz_bytes in = {data, bytes};
    if (n_kinds == 0)
        open_kinds();
    const uint32_t kind = fuzz_below(&in, n_kinds), flags = fuzz_u8(&in);
    if (flags & AS_IDS)
        feed_ids(kind, &in, flags);
    else
        expect_text(kind, in.at, in.left, flags & 7);
    return 1;
}
