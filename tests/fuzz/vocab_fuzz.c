/*
 * A vocabulary that the input makes up, refused or opened; then a text through it and back.
 *
 * Input: what to leave out or get wrong, the entries (each a length, a type, a score, its bytes), the merges, then the
 * text.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "tiny_gguf.h"

enum { MAX_ENTRIES = 24, MAX_MERGES = 12, MAX_BYTES = 12 };

#define KEY(name) "tokenizer.ggml." name

typedef struct vocab {
    int n;
    ifn_string spelling[MAX_ENTRIES];
    int32_t type[MAX_ENTRIES];
    float score[MAX_ENTRIES];
} vocab;

static ifn_string take_string(fuzz_bytes *in)
{
    size_t bytes = fuzz_below(in, MAX_BYTES);
    const uint8_t *data = fuzz_take(in, &bytes);
    return (ifn_string){(const char *)data, bytes};
}

static vocab take_vocab(fuzz_bytes *in)
{
    vocab v = {.n = (int)fuzz_below(in, MAX_ENTRIES + 1)};
    for (int i = 0; i < v.n; i++) {
        const uint32_t bits = (uint32_t)fuzz_u64(in, 4);
        v.type[i] = (int8_t)fuzz_u8(in);
        memcpy(&v.score[i], &bits, sizeof bits);
        v.spelling[i] = take_string(in);
    }
    return v;
}

/* Bits of `wish`: 1 writes types, 2 one type too few, 4 scores, 8 scores of the wrong type. */
static void put_entries(tiny_gguf *file, const vocab *v, uint32_t wish)
{
    const int too_few = wish & 2 && v->n > 0;
    tiny_n_strings(file, KEY("tokens"), v->spelling, (size_t)v->n);
    if (wish & 1)
        tiny_array(file, KEY("token_type"), IFN_GGUF_INT32, v->type, (size_t)(v->n - too_few));
    if (wish & 4)
        tiny_array(file, KEY("scores"), wish & 8 ? IFN_GGUF_INT32 : IFN_GGUF_FLOAT32, v->score,
                   (size_t)v->n);
}

static void put_ids(tiny_gguf *file, fuzz_bytes *in)
{
    static const char *const keys[] = {KEY("bos_token_id"), KEY("eos_token_id"),
                                       KEY("unknown_token_id"), KEY("eot_token_id"),
                                       KEY("eom_token_id")};
    static const char *const flags[] = {KEY("add_bos_token"), KEY("add_eos_token"),
                                        KEY("add_space_prefix")};
    const uint32_t which = fuzz_u8(in);
    for (int i = 0; i < 5; i++)
        if (which >> i & 1)
            tiny_i32(file, keys[i], (int8_t)fuzz_u8(in));
    for (int i = 0; i < 3; i++)
        if (which >> (5 + i) & 1)
            tiny_bool(file, flags[i], (int)fuzz_below(in, 2));
}

static void put_merges(tiny_gguf *file, fuzz_bytes *in)
{
    ifn_string merges[MAX_MERGES];
    const size_t n = fuzz_below(in, MAX_MERGES + 1);
    for (size_t i = 0; i < n; i++)
        merges[i] = take_string(in);
    tiny_n_strings(file, KEY("merges"), merges, n);
}

static const ifn_gguf *make_file(tiny_gguf *file, fuzz_bytes *in)
{
    static const char *const pres[] = {"default",   "gpt-2",  "qwen2",  "llama-bpe",
                                       "smaug-bpe", "smollm", "falcon", "nothing"};
    const uint32_t wish = fuzz_u8(in);
    const vocab v = take_vocab(in);
    tiny_begin(file);
    tiny_string(file, KEY("model"), wish & 16 ? "gpt2" : "llama");
    if (wish & 32)
        tiny_string(file, KEY("pre"), pres[fuzz_below(in, 8)]);
    put_entries(file, &v, wish);
    put_ids(file, in);
    if (wish & 64)
        put_merges(file, in);
    return tiny_open(file);
}

static ifn_status drop(void *cookie, const char *data, size_t bytes)
{
    (void)data;
    *(size_t *)cookie += bytes;
    return IFN_OK;
}

static void there_and_back(const ifn_tokenizer *t, const fuzz_bytes *rest)
{
    ifn_tokens ids;
    ifn_detokenizer d = IFN_DETOKENIZER_INIT;
    ifn_error err = {.status = IFN_OK, .text = ""};
    size_t bytes = 0;
    fuzz_expect_said(ifn_tokenize(t, (const char *)rest->at, rest->left, 0, &ids, &err), &err);
    ifn_detokenizer_init(&d, t, IFN_DETOKENIZE_SHOW_SPECIAL);
    for (size_t i = 0; i < ids.n; i++) {
        FUZZ_EXPECT(ids.ids[i] >= 0 && ids.ids[i] < ifn_tokenizer_n_vocab(t));
        FUZZ_EXPECT(ifn_detokenizer_push(&d, ids.ids[i], drop, &bytes, &err) == IFN_OK);
    }
    FUZZ_EXPECT(ifn_detokenizer_flush(&d, drop, &bytes, &err) == IFN_OK);
    ifn_tokens_free(&ids);
}

int fuzz_one(const uint8_t *data, size_t bytes)
{
    fuzz_bytes in = {data, bytes};
    tiny_gguf file;
    ifn_tokenizer *t;
    ifn_error err = {.status = IFN_OK, .text = ""};
    const ifn_gguf *gguf = make_file(&file, &in);
    const ifn_status status = ifn_tokenizer_open(gguf, NULL, &t, &err);
    fuzz_expect_said(status, &err);
    FUZZ_EXPECT((status == IFN_OK) == (t != NULL));
    if (t)
        there_and_back(t, &in);
    ifn_tokenizer_close(t);
    tiny_end(&file);
    return status == IFN_OK;
}
