#include "tokenizer_meta.h"

#include <string.h>

#include "message.h"

#define KEY(name) "tokenizer.ggml." name

static bool equals(ifn_string text, const char *literal)
{
    return text.bytes == strlen(literal) && memcmp(text.data, literal, text.bytes) == 0;
}

static ifn_status read_pre(ifn_tokenizer_meta *self, const ifn_gguf *gguf, ifn_error *err)
{
    ifn_string name = {"default", strlen("default")};
    if (ifn_gguf_find(gguf, KEY("pre")))
        IFN_TRY(ifn_gguf_get_string(gguf, KEY("pre"), &name, err));
    if (name.bytes == 0)
        name = (ifn_string){"default", strlen("default")};
    self->pre = ifn_pre_rule_find(name.data, name.bytes);
    if (self->pre)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                    "%s: " KEY("pre") ": found '%.*s', expected default, gpt-2, qwen2, llama-bpe, "
                                      "smollm, falcon or another name of one of these",
                    ifn_tokenizer_file(gguf), ifn_tokenizer_quoted(name), name.data);
}

static ifn_status read_model(ifn_tokenizer_meta *self, const ifn_gguf *gguf, ifn_error *err)
{
    ifn_string model;
    IFN_TRY(ifn_gguf_get_string(gguf, KEY("model"), &model, err));
    if (equals(model, "gpt2"))
        return read_pre(self, gguf, err);
    if (equals(model, "llama"))
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                    "%s: " KEY("model") ": found '%.*s', expected gpt2 or llama",
                    ifn_tokenizer_file(gguf), ifn_tokenizer_quoted(model), model.data);
}

/* A signed -1 is in the field what 0xffffffff is: none. */
static bool is_minus_one(const ifn_gguf_kv *kv)
{
    return (kv->type == IFN_GGUF_INT32 || kv->type == IFN_GGUF_INT64) &&
           ifn_gguf_element_int(kv, 0) == -1;
}

/* *id keeps its value where the key is missing. */
static ifn_status read_id(const ifn_gguf *gguf, const char *key, int32_t n_vocab, ifn_token *id,
                          ifn_error *err)
{
    const ifn_gguf_kv *kv = ifn_gguf_find(gguf, key);
    uint64_t value = (uint64_t)(int64_t)*id;
    if (kv && is_minus_one(kv))
        value = UINT64_MAX;
    else if (kv)
        IFN_TRY(ifn_gguf_get_uint(gguf, key, UINT64_MAX, &value, err));
    *id = value < (uint64_t)n_vocab ? (ifn_token)value : IFN_TOKEN_NONE;
    return IFN_OK;
}

static ifn_status read_ids(ifn_tokenizer_meta *self, const ifn_gguf *gguf, int32_t n_vocab,
                           ifn_error *err)
{
    IFN_TRY(read_id(gguf, KEY("bos_token_id"), n_vocab, &self->bos, err));
    IFN_TRY(read_id(gguf, KEY("eos_token_id"), n_vocab, &self->eos, err));
    IFN_TRY(read_id(gguf, KEY("unknown_token_id"), n_vocab, &self->unknown, err));
    IFN_TRY(read_id(gguf, KEY("eot_token_id"), n_vocab, &self->end_of_turn, err));
    return read_id(gguf, KEY("eom_token_id"), n_vocab, &self->end_of_message, err);
}

static ifn_status read_flag(const ifn_gguf *gguf, const char *key, bool *flag, ifn_error *err)
{
    if (!ifn_gguf_find(gguf, key))
        return IFN_OK;
    int value;
    IFN_TRY(ifn_gguf_get_bool(gguf, key, &value, err));
    *flag = value != 0;
    return IFN_OK;
}

/* Whether to add `id`; `flag` starts as the default. */
static ifn_status read_add(const ifn_gguf *gguf, const char *key, const char *id_key, ifn_token id,
                           bool *flag, ifn_error *err)
{
    IFN_TRY(read_flag(gguf, key, flag, err));
    if (*flag && id == IFN_TOKEN_NONE && ifn_gguf_find(gguf, key))
        return ifn_fail(err, IFN_ERR_FORMAT, "%s: %s: found true, expected false: there is no %s",
                        ifn_tokenizer_file(gguf), key, id_key);
    *flag = *flag && id != IFN_TOKEN_NONE;
    return IFN_OK;
}

static ifn_status read_flags(ifn_tokenizer_meta *self, const ifn_gguf *gguf, ifn_error *err)
{
    IFN_TRY(
        read_add(gguf, KEY("add_bos_token"), KEY("bos_token_id"), self->bos, &self->add_bos, err));
    IFN_TRY(
        read_add(gguf, KEY("add_eos_token"), KEY("eos_token_id"), self->eos, &self->add_eos, err));
    return read_flag(gguf, KEY("add_space_prefix"), &self->space_prefix, err);
}

ifn_status ifn_tokenizer_meta_read(ifn_tokenizer_meta *self, const ifn_gguf *gguf,
                                   const ifn_vocab *vocab, ifn_error *err)
{
    const ifn_token none = IFN_TOKEN_NONE;
    *self = (ifn_tokenizer_meta){NULL, none, none, none, none, none, false, false, false};
    IFN_TRY(read_model(self, gguf, err));
    if (self->pre) {
        self->add_bos = self->pre->adds_bos;
    } else {
        self->unknown = 0; /* what SentencePiece writes unless told otherwise */
        self->bos = 1;
        self->eos = 2;
        self->add_bos = self->space_prefix = true;
    }
    IFN_TRY(read_ids(self, gguf, vocab->n, err));
    return read_flags(self, gguf, err);
}
