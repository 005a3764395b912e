#include "tiny_gguf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytemap.h"
#include "test.h"

static void put(tiny_gguf *self, const void *data, size_t bytes)
{
    self->bytes = realloc(self->bytes, self->n + bytes + 1);
    if (!self->bytes)
        abort();
    if (bytes)
        memcpy(self->bytes + self->n, data, bytes);
    self->n += bytes;
}

static void put_number(tiny_gguf *self, uint64_t value, size_t bytes)
{
    uint8_t out[8];
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> 8 * i);
    put(self, out, bytes);
}

static void put_text(tiny_gguf *self, const char *text, size_t bytes)
{
    put_number(self, bytes, 8);
    put(self, text, bytes);
}

static void put_key(tiny_gguf *self, const char *key, ifn_gguf_type type)
{
    put_text(self, key, strlen(key));
    put_number(self, (uint64_t)type, 4);
    self->n_entries++;
}

void tiny_begin(tiny_gguf *self)
{
    *self = (tiny_gguf){.n = 0};
    put(self, "GGUF", 4);
    put_number(self, 3, 4);
    put_number(self, 0, 8);
    put_number(self, 0, 8); /* n_entries; tiny_open fills it in */
}

void tiny_u32(tiny_gguf *self, const char *key, uint32_t value)
{
    put_key(self, key, IFN_GGUF_UINT32);
    put_number(self, value, 4);
}

void tiny_i32(tiny_gguf *self, const char *key, int32_t value)
{
    put_key(self, key, IFN_GGUF_INT32);
    put_number(self, (uint32_t)value, 4);
}

void tiny_bool(tiny_gguf *self, const char *key, int value)
{
    put_key(self, key, IFN_GGUF_BOOL);
    put_number(self, value != 0, 1);
}

void tiny_string(tiny_gguf *self, const char *key, const char *text)
{
    put_key(self, key, IFN_GGUF_STRING);
    put_text(self, text, strlen(text));
}

static void put_array_head(tiny_gguf *self, const char *key, ifn_gguf_type type, size_t n)
{
    put_key(self, key, IFN_GGUF_ARRAY);
    put_number(self, (uint64_t)type, 4);
    put_number(self, n, 8);
}

void tiny_n_strings(tiny_gguf *self, const char *key, const ifn_string *texts, size_t n)
{
    put_array_head(self, key, IFN_GGUF_STRING, n);
    for (size_t i = 0; i < n; i++)
        put_text(self, texts[i].data, texts[i].bytes);
}

static size_t count(const char *const *texts)
{
    size_t n = 0;
    while (texts && texts[n])
        n++;
    return n;
}

void tiny_strings(tiny_gguf *self, const char *key, const char *const *texts)
{
    const size_t n = count(texts);
    put_array_head(self, key, IFN_GGUF_STRING, n);
    for (size_t i = 0; i < n; i++)
        put_text(self, texts[i], strlen(texts[i]));
}

void tiny_array(tiny_gguf *self, const char *key, ifn_gguf_type type, const void *data, size_t n)
{
    put_array_head(self, key, type, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t value;
        if (type == IFN_GGUF_UINT8)
            value = ((const uint8_t *)data)[i];
        else
            memcpy(&value, (const uint8_t *)data + 4 * i, 4);
        put_number(self, value, type == IFN_GGUF_UINT8 ? 1 : 4);
    }
}

const ifn_gguf *tiny_open(tiny_gguf *self)
{
    ifn_error err;
    for (int i = 0; i < 8; i++)
        self->bytes[16 + i] = (uint8_t)(self->n_entries >> 8 * i);
    assert_ok(ifn_gguf_open_memory("tiny", self->bytes, self->n, NULL, &self->gguf, &err), err);
    return self->gguf;
}

void tiny_end(tiny_gguf *self)
{
    ifn_gguf_close(self->gguf);
    free(self->bytes);
    *self = (tiny_gguf){.n = 0};
}

/* Writes an array with a number for every entry: the given ones, then a constant for each byte. */
static void put_with_bytes(tiny_gguf *self, const char *key, ifn_gguf_type type, const void *given,
                           size_t n, uint32_t of_bytes, int with_bytes)
{
    const size_t total = n + (with_bytes ? 256 : 0);
    uint32_t *all = malloc((total + 1) * sizeof *all);
    if (!all)
        abort();
    if (n)
        memcpy(all, given, n * sizeof *all);
    for (size_t i = n; i < total; i++)
        all[i] = of_bytes;
    tiny_array(self, key, type, all, total);
    free(all);
}

static void put_tokens(tiny_gguf *self, const tiny_vocab *vocab, int is_bpe)
{
    ifn_string all[1024];
    char spelled[256][8];
    size_t n = count(vocab->tokens);
    for (size_t i = 0; i < n; i++)
        all[i] = (ifn_string){vocab->tokens[i], strlen(vocab->tokens[i])};
    for (int i = 0; vocab->with_bytes && i < 256; i++) {
        const size_t bytes =
            is_bpe ? ifn_bytemap_spell((uint8_t)i, spelled[i])
                   : (size_t)snprintf(spelled[i], sizeof spelled[i], "<0x%02X>", (unsigned)i);
        all[n++] = (ifn_string){spelled[i], bytes};
    }
    tiny_n_strings(self, "tokenizer.ggml.tokens", all, n);
}

void tiny_put_vocab(tiny_gguf *self, const tiny_vocab *vocab)
{
    const int is_bpe = vocab->model && strcmp(vocab->model, "gpt2") == 0;
    const size_t n = count(vocab->tokens);
    if (vocab->model)
        tiny_string(self, "tokenizer.ggml.model", vocab->model);
    if (vocab->pre)
        tiny_string(self, "tokenizer.ggml.pre", vocab->pre);
    put_tokens(self, vocab, is_bpe);
    if (vocab->types)
        put_with_bytes(self, "tokenizer.ggml.token_type", IFN_GGUF_INT32, vocab->types, n,
                       is_bpe ? IFN_TOKEN_NORMAL : IFN_TOKEN_BYTE, vocab->with_bytes);
    if (vocab->scores)
        put_with_bytes(self, "tokenizer.ggml.scores", IFN_GGUF_FLOAT32, vocab->scores, n, 0,
                       vocab->with_bytes);
    if (vocab->merges)
        tiny_strings(self, "tokenizer.ggml.merges", vocab->merges);
}

const ifn_gguf *tiny_make(tiny_gguf *self, const tiny_vocab *vocab)
{
    tiny_begin(self);
    tiny_put_vocab(self, vocab);
    return tiny_open(self);
}

ifn_tokenizer *tiny_tokenizer(tiny_gguf *self, const tiny_vocab *vocab)
{
    ifn_tokenizer *tokenizer;
    ifn_error err;
    assert_ok(ifn_tokenizer_open(tiny_make(self, vocab), NULL, &tokenizer, &err), err);
    return tokenizer;
}

void expect_ids(const ifn_tokenizer *tokenizer, const char *text, size_t bytes, uint32_t flags,
                const ifn_token *ids, size_t n)
{
    ifn_tokens got;
    ifn_error err;
    assert_ok(ifn_tokenize(tokenizer, text, bytes, flags, &got, &err), err);
    for (size_t i = 0; i < n || i < got.n; i++)
        assert_that(i < n && i < got.n && got.ids[i] == ids[i],
                    "'%.*s': id %zu of %zu is %d, expected %d of %zu", (int)bytes, text, i, got.n,
                    i < got.n ? (int)got.ids[i] : -1, i < n ? (int)ids[i] : -1, n);
    ifn_tokens_free(&got);
}

typedef struct text_buffer {
    char *data;
    size_t n, capacity;
} text_buffer;

static ifn_status append(void *cookie, const char *data, size_t bytes)
{
    text_buffer *buffer = cookie;
    if (buffer->n + bytes > buffer->capacity) {
        buffer->capacity = 2 * (buffer->n + bytes);
        buffer->data = realloc(buffer->data, buffer->capacity);
        if (!buffer->data)
            abort();
    }
    memcpy(buffer->data + buffer->n, data, bytes);
    buffer->n += bytes;
    return IFN_OK;
}

char *decode(const ifn_tokenizer *tokenizer, const ifn_token *ids, size_t n, uint32_t flags,
             size_t *bytes)
{
    text_buffer buffer = {malloc(1), 0, 1};
    ifn_detokenizer d = IFN_DETOKENIZER_INIT;
    ifn_error err;
    ifn_detokenizer_init(&d, tokenizer, flags);
    for (size_t i = 0; i < n; i++)
        assert_ok(ifn_detokenizer_push(&d, ids[i], append, &buffer, &err), err);
    assert_ok(ifn_detokenizer_flush(&d, append, &buffer, &err), err);
    *bytes = buffer.n;
    return buffer.data;
}

void expect_round_trip(const ifn_tokenizer *tokenizer, const void *text, size_t bytes)
{
    ifn_tokens ids;
    ifn_error err;
    size_t n;
    assert_ok(ifn_tokenize(tokenizer, text, bytes, IFN_TOKENIZE_NO_SPECIAL, &ids, &err), err);
    char *back = decode(tokenizer, ids.ids, ids.n, 0, &n);
    assert_int_equal(n, bytes);
    if (bytes)
        assert_memory_equal(back, text, bytes);
    free(back);
    ifn_tokens_free(&ids);
}
