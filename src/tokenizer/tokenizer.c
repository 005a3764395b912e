/* The tokenizer as a whole: built from metadata, then text -> fragments -> words -> ids. */
#include <inferno/tokenizer.h>

#include <string.h>

#include "alloc_priv.h"
#include "message.h"
#include "tokenizer_priv.h"
#include "tokens.h"

/* SentencePiece replaces a space by 3 bytes, and indices of symbols are int32_t: 3 * 2^29 < 2^31. */
#define MAX_TEXT_BYTES ((size_t)1 << 29)

/* Spellings of the end-of-generation tokens of known models. */
static const char *const end_spellings[] = {
    "</s>",
    "<EOT>",
    "_<EOT>",
    "<eos>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "<|end|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_end|>",
    "<\357\275\234end\342\226\201of\342\226\201sentence\357\275\234>", /* U+FF5C, U+2581 */
};

_Static_assert(sizeof end_spellings / sizeof *end_spellings + 3 <= IFN_MAX_ENDS,
               "room for every spelling and three ids");

static void add_end(ifn_tokenizer *self, ifn_token id)
{
    if (id != IFN_TOKEN_NONE && !ifn_tokenizer_is_end(self, id))
        self->ends[self->n_ends++] = id;
}

static void find_ends(ifn_tokenizer *self)
{
    add_end(self, self->meta.eos);
    add_end(self, self->meta.end_of_turn);
    add_end(self, self->meta.end_of_message);
    for (size_t i = 0; i < sizeof end_spellings / sizeof *end_spellings; i++)
        add_end(self, ifn_vocab_find(&self->vocab, end_spellings[i], strlen(end_spellings[i]),
                                     IFN_TYPES_CONTROL));
}

static ifn_status open_model(ifn_tokenizer *self, const ifn_gguf *gguf, ifn_error *err)
{
    const ifn_tokenizer_meta *meta = &self->meta;
    if (!meta->pre)
        return ifn_spm_open(&self->spm, gguf, &self->vocab, meta->unknown, err);
    IFN_TRY(ifn_pretokenizer_open(&self->pre, meta->pre, self->alloc, err));
    return ifn_bpe_open(&self->bpe, gguf, &self->vocab, meta->unknown, meta->pre->ignores_merges,
                        &self->warnings, err);
}

static ifn_status open_parts(ifn_tokenizer *self, const ifn_gguf *gguf, ifn_error *err)
{
    IFN_TRY(ifn_vocab_open(&self->vocab, gguf, self->alloc, &self->warnings, err));
    IFN_TRY(ifn_tokenizer_meta_read(&self->meta, gguf, &self->vocab, &self->warnings, err));
    IFN_TRY(ifn_special_open(&self->special, &self->vocab, err));
    IFN_TRY(open_model(self, gguf, err));
    find_ends(self);
    return IFN_OK;
}

ifn_status ifn_tokenizer_open(const ifn_gguf *gguf, const ifn_allocator *alloc, ifn_tokenizer **out,
                              ifn_error *err)
{
    *out = NULL;
    alloc = ifn_allocator_or_default(alloc);
    ifn_tokenizer *self = ifn_alloc_zeroed(alloc, 1, sizeof *self);
    if (!self)
        return ifn_tokenizer_nomem(err);
    self->alloc = self->vocab.alloc = self->special.alloc = self->bpe.alloc = self->spm.alloc =
        alloc;
    const ifn_status status = open_parts(self, gguf, err);
    if (status == IFN_OK)
        *out = self;
    else
        ifn_tokenizer_close(self);
    return status;
}

const char *ifn_tokenizer_warning(const ifn_tokenizer *self, int i)
{
    return i >= 0 && i < self->warnings.n ? self->warnings.lines[i].text : NULL;
}

void ifn_tokenizer_close(ifn_tokenizer *self)
{
    if (!self)
        return;
    ifn_spm_close(&self->spm);
    ifn_bpe_close(&self->bpe);
    ifn_pretokenizer_close(&self->pre);
    ifn_special_close(&self->special);
    ifn_vocab_close(&self->vocab);
    ifn_free_array(self->alloc, self, 1, sizeof *self);
}

/* The state of encoding one text, kept from one stretch of ordinary text to the next. */
typedef struct encoder {
    const ifn_tokenizer *tokenizer;
    ifn_tokens *out;
    ifn_bpe_work bpe;
    bool after_special; /* SentencePiece: the next text gets its prefix */
    ifn_error *err;
} encoder;

static ifn_status encode_text(encoder *e, const uint8_t *text, size_t bytes)
{
    const ifn_tokenizer *t = e->tokenizer;
    if (t->meta.pre)
        return ifn_pretokenize(&t->pre, text, bytes, ifn_bpe_encode, &e->bpe, e->err);
    const bool prefix = t->meta.space_prefix && e->after_special;
    return ifn_spm_encode(&t->spm, text, bytes, prefix, e->out, e->err);
}

static ifn_status encode_fragments(encoder *e, const char *text, const ifn_fragments *fragments)
{
    e->after_special = true;
    for (size_t i = 0; i < fragments->n; i++) {
        const ifn_fragment *f = &fragments->items[i];
        if (f->id == IFN_TOKEN_NONE)
            IFN_TRY(encode_text(e, (const uint8_t *)text + f->begin, f->bytes));
        else
            IFN_TRY(ifn_tokens_append(e->out, f->id, e->err));
        e->after_special = f->id != IFN_TOKEN_NONE;
    }
    return IFN_OK;
}

static ifn_status encode(const ifn_tokenizer *self, const char *text, size_t bytes, uint32_t flags,
                         ifn_tokens *out, ifn_error *err)
{
    const bool all = !(flags & IFN_TOKENIZE_NO_SPECIAL);
    const bool bos = self->meta.add_bos && !(flags & IFN_TOKENIZE_NO_BOS);
    const bool eos = self->meta.add_eos && !(flags & IFN_TOKENIZE_NO_EOS);
    ifn_fragments fragments;
    encoder e = {.tokenizer = self, .out = out, .err = err};
    IFN_TRY(ifn_tokens_append_if(out, bos ? self->meta.bos : IFN_TOKEN_NONE, err));
    IFN_TRY(ifn_special_split(&self->special, text, bytes, all, &fragments, err));
    ifn_bpe_work_init(&e.bpe, &self->bpe, out);
    const ifn_status status = encode_fragments(&e, text, &fragments);
    ifn_bpe_work_fini(&e.bpe);
    ifn_fragments_free(&fragments);
    IFN_TRY(status);
    return ifn_tokens_append_if(out, eos ? self->meta.eos : IFN_TOKEN_NONE, err);
}

ifn_status ifn_tokenize(const ifn_tokenizer *self, const char *text, size_t bytes, uint32_t flags,
                        ifn_tokens *out, ifn_error *err)
{
    *out = (ifn_tokens){.alloc = self->alloc};
    if (bytes > MAX_TEXT_BYTES)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "text: found %zu bytes, expected at most %zu", bytes,
                        MAX_TEXT_BYTES);
    const ifn_status status = encode(self, text, bytes, flags, out, err);
    if (status != IFN_OK)
        ifn_tokens_free(out);
    return status;
}

static bool is_id(const ifn_tokenizer *self, ifn_token id)
{
    return id >= 0 && id < self->vocab.n;
}

int64_t ifn_tokenizer_n_vocab(const ifn_tokenizer *self)
{
    return self->vocab.n;
}

ifn_token ifn_tokenizer_bos(const ifn_tokenizer *self)
{
    return self->meta.bos;
}

ifn_token ifn_tokenizer_eos(const ifn_tokenizer *self)
{
    return self->meta.eos;
}

int ifn_tokenizer_is_end(const ifn_tokenizer *self, ifn_token id)
{
    for (int i = 0; i < self->n_ends; i++)
        if (self->ends[i] == id)
            return 1;
    return 0;
}

ifn_token_type ifn_tokenizer_type(const ifn_tokenizer *self, ifn_token id)
{
    return is_id(self, id) ? (ifn_token_type)self->vocab.type[id] : IFN_TOKEN_UNUSED;
}

ifn_string ifn_tokenizer_spelling(const ifn_tokenizer *self, ifn_token id)
{
    return is_id(self, id) ? self->vocab.spelling[id] : (ifn_string){"", 0};
}
