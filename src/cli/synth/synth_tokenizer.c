#include "synth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/tokenizer.h>

enum { SPELLING_BYTES = 16 };

/* The lists of the vocabulary while it is written. */
typedef struct vocabulary {
    size_t n;
    ifn_string *strings;
    char *spellings; /* [n][SPELLING_BYTES] */
    int32_t *types;
} vocabulary;

static void vocabulary_free(vocabulary *v)
{
    free(v->strings);
    free(v->spellings);
    free(v->types);
}

static ifn_status vocabulary_init(vocabulary *v, size_t n, ifn_error *err)
{
    *v = (vocabulary){.n = n,
                      .strings = calloc(n, sizeof *v->strings),
                      .spellings = calloc(n, SPELLING_BYTES),
                      .types = calloc(n, sizeof *v->types)};
    if (v->strings && v->spellings && v->types)
        return IFN_OK;
    vocabulary_free(v);
    return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for %zu tokens", n);
}

/* Spells a byte as GPT-2 does: printable Latin-1 as itself, the other bytes as U+0100, U+0101, ... in order. */
static size_t spell_byte(int byte, char *out)
{
    int code = 256;
    for (int b = 0; b <= byte; b++) {
        const int printable = (b >= 0x21 && b <= 0x7e) || (b >= 0xa1 && b != 0xad);
        if (b == byte && printable)
            code = byte;
        else if (b < byte && !printable)
            code++;
    }
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    out[0] = (char)(0xc0 | code >> 6);
    out[1] = (char)(0x80 | (code & 0x3f));
    return 2;
}

static void spell_all(vocabulary *v)
{
    for (size_t i = 0; i < v->n; i++) {
        char *out = v->spellings + i * SPELLING_BYTES;
        size_t bytes;
        v->types[i] = i < 256 ? IFN_TOKEN_NORMAL : IFN_TOKEN_CONTROL;
        if (i < 256)
            bytes = spell_byte((int)i, out);
        else if (i == SYNTH_END || i == SYNTH_BEGIN)
            bytes = (size_t)snprintf(out, SPELLING_BYTES, "%s",
                                     i == SYNTH_END ? "<|end|>" : "<|begin|>");
        else
            bytes = (size_t)snprintf(out, SPELLING_BYTES, "[PAD%zu]", i);
        if (i >= SYNTH_MIN_VOCAB)
            v->types[i] = IFN_TOKEN_UNUSED;
        v->strings[i] = (ifn_string){out, bytes};
    }
}

static ifn_status put_vocabulary(ifn_gguf_writer *writer, const vocabulary *v, ifn_error *err)
{
    IFN_TRY(ifn_gguf_writer_put_strings(writer, "tokenizer.ggml.tokens", v->strings, v->n, err));
    IFN_TRY(ifn_gguf_writer_put_array(writer, "tokenizer.ggml.token_type", IFN_GGUF_INT32, v->types,
                                      v->n, err));
    return ifn_gguf_writer_put_strings(writer, "tokenizer.ggml.merges", NULL, 0, err);
}

ifn_status synth_put_tokenizer(ifn_gguf_writer *writer, const synth_model *self, ifn_error *err)
{
    const bool is_llama = synth_is_llama(self);
    const char *pre = is_llama ? "llama-bpe" : "qwen2";
    IFN_TRY(ifn_gguf_writer_put_string(writer, "tokenizer.ggml.model", "gpt2", 4, err));
    IFN_TRY(ifn_gguf_writer_put_string(writer, "tokenizer.ggml.pre", pre, strlen(pre), err));
    IFN_TRY(ifn_gguf_writer_put_uint(writer, "tokenizer.ggml.eos_token_id", IFN_GGUF_UINT32,
                                     SYNTH_END, err));
    IFN_TRY(ifn_gguf_writer_put_uint(writer, "tokenizer.ggml.bos_token_id", IFN_GGUF_UINT32,
                                     SYNTH_BEGIN, err));
    IFN_TRY(ifn_gguf_writer_put_bool(writer, "tokenizer.ggml.add_bos_token", is_llama, err));
    vocabulary v;
    IFN_TRY(vocabulary_init(&v, (size_t)self->shape.vocab_size, err));
    spell_all(&v);
    const ifn_status status = put_vocabulary(writer, &v, err);
    vocabulary_free(&v);
    return status;
}
