/* GGUF files in memory with metadata only, valid or not, and tokenizers made from them. */
#ifndef IFN_TINY_GGUF_H
#define IFN_TINY_GGUF_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/tokenizer.h>

typedef struct tiny_gguf {
    unsigned char *bytes;
    size_t n;
    uint64_t n_entries;
    ifn_gguf *gguf; /* after tiny_open */
} tiny_gguf;

void tiny_begin(tiny_gguf *self);
void tiny_u32(tiny_gguf *self, const char *key, uint32_t value);
void tiny_i32(tiny_gguf *self, const char *key, int32_t value);
void tiny_bool(tiny_gguf *self, const char *key, int value);
void tiny_string(tiny_gguf *self, const char *key, const char *text);
/* `texts` ends at NULL. */
void tiny_strings(tiny_gguf *self, const char *key, const char *const *texts);
void tiny_n_strings(tiny_gguf *self, const char *key, const ifn_string *texts, size_t n);
/* `type` is U32, I32, F32 or U8, and so is each element. */
void tiny_array(tiny_gguf *self, const char *key, ifn_gguf_type type, const void *data, size_t n);
/* Opens the file as written so far; may be called only once. */
const ifn_gguf *tiny_open(tiny_gguf *self);
void tiny_end(tiny_gguf *self);

/* A vocabulary in one struct; NULL and 0 leave a key out. */
typedef struct tiny_vocab {
    const char *model, *pre;
    const char *const *tokens; /* ends at NULL */
    int with_bytes;            /* all 256 byte spellings follow: "a" or "<0x61>" by model */
    const int32_t *types;      /* of `tokens`; bytes are NORMAL or BYTE by model */
    const float *scores;       /* of `tokens`; bytes get 0 */
    const char *const *merges; /* ends at NULL */
} tiny_vocab;

/* Appends the keys of a vocabulary. */
void tiny_put_vocab(tiny_gguf *self, const tiny_vocab *vocab);

/* Calls tiny_begin, tiny_put_vocab and tiny_open. */
const ifn_gguf *tiny_make(tiny_gguf *self, const tiny_vocab *vocab);

/* Does the same and opens a tokenizer, which must succeed. */
ifn_tokenizer *tiny_tokenizer(tiny_gguf *self, const tiny_vocab *vocab);

/* Fails the test unless `text` is encoded to exactly these ids. */
void expect_ids(const ifn_tokenizer *tokenizer, const char *text, size_t bytes, uint32_t flags,
                const ifn_token *ids, size_t n);
#define EXPECT_IDS(tokenizer, text, flags, ...)                                                    \
    expect_ids(tokenizer, text, sizeof(text) - 1, flags, (const ifn_token[]){__VA_ARGS__},         \
               sizeof((const ifn_token[]){__VA_ARGS__}) / sizeof(ifn_token))

/* Returns the text of ids, by a push for each and a flush. The caller frees it. */
char *decode(const ifn_tokenizer *tokenizer, const ifn_token *ids, size_t n, uint32_t flags,
             size_t *bytes);

/* Fails the test unless the text is decoded from its own ids, encoded without special tokens. */
void expect_round_trip(const ifn_tokenizer *tokenizer, const void *text, size_t bytes);

#endif
