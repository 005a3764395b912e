#include "tokenizer_meta.h"

#include <string.h>

#include "message.h"

#define KEY(name) "tokenizer.ggml." name

static bool equals(ifn_string text, const char *literal)
{
    return text.bytes == strlen(literal) && memcmp(text.data, literal, text.bytes) == 0;
}

static ifn_status read_pre(ifn_tokenizer_meta *self, const ifn_gguf *gguf, ifn_warnings *warnings,
                           ifn_error *err)
{
    ifn_string name = {0};
    const bool is_there = ifn_gguf_find(gguf, KEY("pre")) != NULL;
    if (is_there)
        IFN_TRY(ifn_gguf_get_string(gguf, KEY("pre"), &name, err));
    if (name.bytes == 0) {
        ifn_warn(warnings, KEY("pre") ": %s, taken as default; models of today name their rule",
                 is_there ? "empty" : "missing");
        name = (ifn_string){"default", strlen("default")};
    }
    self->pre = ifn_pre_rule_find(name.data, name.bytes);
    if (self->pre)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                    "%s: " KEY("pre") ": found '%.*s', expected default, gpt-2, qwen2, llama-bpe, "
                                      "smollm, falcon or another name of one of these",
                    ifn_tokenizer_file(gguf), ifn_tokenizer_quoted(name), name.data);
}

static ifn_status read_model(ifn_tokenizer_meta *self, const ifn_gguf *gguf, ifn_warnings *warnings,
                             ifn_error *err)
{
    ifn_string model;
    IFN_TRY(ifn_gguf_get_string(gguf, KEY("model"), &model, err));
    if (equals(model, "gpt2"))
        return read_pre(self, gguf, warnings, err);
    if (equals(model, "llama"))
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                    "%s: " KEY("model") ": found '%.*s', expected gpt2 or llama",
                    ifn_tokenizer_file(gguf), ifn_tokenizer_quoted(model), model.data);
}

/* True if an id is stored as a signed -1, which some files write for none instead of 0xffffffff. */
static bool is_minus_one(const ifn_gguf_kv *entry)
{
    return (entry->type == IFN_GGUF_INT32 || entry->type == IFN_GGUF_INT64) &&
           ifn_gguf_element_int(entry, 0) == -1;
}

/* The file that is read, and where warnings and errors go. */
typedef struct source {
    const ifn_gguf *gguf;
    const ifn_vocab *vocab;
    ifn_warnings *warnings;
    ifn_error *err;
} source;

/* Reads the id of a key; UINT64_MAX means none. *value is unchanged if the key is missing. */
static ifn_status read_value(const source *s, const char *key, uint64_t *value)
{
    const ifn_gguf_kv *entry = ifn_gguf_find(s->gguf, key);
    if (!entry)
        return IFN_OK;
    if (is_minus_one(entry))
        *value = UINT64_MAX;
    else
        IFN_TRY(ifn_gguf_get_uint(s->gguf, key, UINT64_MAX, value, s->err));
    if (*value == UINT32_MAX)
        *value = UINT64_MAX;
    return IFN_OK;
}

static ifn_status refuse_id(const source *s, const char *key, uint64_t value, bool is_needed)
{
    if (is_needed)
        return ifn_fail(
            s->err, IFN_ERR_FORMAT, "%s: %s: found %llu, expected 0 .. %d, or -1 for none",
            ifn_tokenizer_file(s->gguf), key, (unsigned long long)value, (int)s->vocab->n - 1);
    ifn_warn(s->warnings, "%s: found %llu, expected 0 .. %d; taken as none", key,
             (unsigned long long)value, (int)s->vocab->n - 1);
    return IFN_OK;
}

/* Warns if the token is NORMAL, UNUSED or BYTE: ordinary text may become such a token by itself. */
static void warn_of_type(const source *s, const char *key, ifn_token id)
{
    const unsigned plain = IFN_TYPES_NORMAL | IFN_TYPES_UNUSED | IFN_TYPES_BYTE;
    const ifn_string text = s->vocab->spelling[id];
    if (plain >> s->vocab->type[id] & 1)
        ifn_warn(s->warnings, "%s: token %d, '%.*s', is of type %d, expected %d, control", key,
                 (int)id, ifn_tokenizer_quoted(text), text.data, (int)s->vocab->type[id],
                 IFN_TOKEN_CONTROL);
}

/* Reads an id. If the key is missing, *id keeps its value, or becomes IFN_TOKEN_NONE if that is outside the
 * vocabulary. */
static ifn_status read_id(const source *s, const char *key, bool is_needed, ifn_token *id)
{
    const bool is_said = ifn_gguf_find(s->gguf, key) != NULL;
    uint64_t value = (uint64_t)(int64_t)*id;
    IFN_TRY(read_value(s, key, &value));
    const bool is_token = value < (uint64_t)s->vocab->n;
    *id = is_token ? (ifn_token)value : IFN_TOKEN_NONE;
    if (is_said && is_token)
        warn_of_type(s, key, *id);
    return is_said && !is_token && value != UINT64_MAX ? refuse_id(s, key, value, is_needed)
                                                       : IFN_OK;
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

static ifn_status read_ids(ifn_tokenizer_meta *self, const source *s)
{
    const bool is_spm = !self->pre;
    bool adds_bos = self->add_bos;
    IFN_TRY(read_flag(s->gguf, KEY("add_bos_token"), &adds_bos, s->err));
    IFN_TRY(read_id(s, KEY("bos_token_id"), adds_bos, &self->bos));
    IFN_TRY(read_id(s, KEY("eos_token_id"), true, &self->eos));
    IFN_TRY(read_id(s, KEY("unknown_token_id"), is_spm, &self->unknown));
    IFN_TRY(read_id(s, KEY("eot_token_id"), true, &self->end_of_turn));
    return read_id(s, KEY("eom_token_id"), true, &self->end_of_message);
}

/* Reads whether to add `id`; *flag holds the default before. */
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
                                   const ifn_vocab *vocab, ifn_warnings *warnings, ifn_error *err)
{
    const source s = {gguf, vocab, warnings, err};
    const ifn_token none = IFN_TOKEN_NONE;
    *self = (ifn_tokenizer_meta){NULL, none, none, none, none, none, false, false, false};
    IFN_TRY(read_model(self, gguf, warnings, err));
    if (self->pre) {
        self->add_bos = self->pre->adds_bos;
    } else {
        self->unknown = 0; /* SentencePiece's default ids */
        self->bos = 1;
        self->eos = 2;
        self->add_bos = self->space_prefix = true;
    }
    IFN_TRY(read_ids(self, &s));
    return read_flags(self, gguf, err);
}
