#include "chat_ids.h"

#include <stdbool.h>
#include <string.h>

#include "ids.h"

enum { PLAIN = IFN_TOKENIZE_NO_SPECIAL | IFN_TOKENIZE_NO_BOS | IFN_TOKENIZE_NO_EOS };

/* Finds the special token with this spelling: one that ordinary text is never tokenized to. */
static ifn_status find_mark(const ifn_tokenizer *tokenizer, const char *spelling, size_t bytes,
                            ifn_token *out, ifn_error *err)
{
    ifn_tokens ids;
    IFN_TRY(ifn_tokenize(tokenizer, spelling, bytes, IFN_TOKENIZE_NO_BOS | IFN_TOKENIZE_NO_EOS,
                         &ids, err));
    *out = ids.n == 1 ? ids.ids[0] : IFN_TOKEN_NONE;
    ifn_tokens_free(&ids);
    const ifn_token_type type =
        *out == IFN_TOKEN_NONE ? IFN_TOKEN_NORMAL : ifn_tokenizer_type(tokenizer, *out);
    if (type != IFN_TOKEN_CONTROL && type != IFN_TOKEN_USER_DEFINED)
        *out = IFN_TOKEN_NONE;
    return IFN_OK;
}

ifn_status chat_ids_end(const ifn_tokenizer *tokenizer, const chat_template *how, ifn_token *out,
                        ifn_error *err)
{
    IFN_TRY(find_mark(tokenizer, how->marks[0], strlen(how->marks[0]), out, err));
    if (*out == IFN_TOKEN_NONE)
        return ifn_fail(err, IFN_ERR_UNSUPPORTED,
                        "chat template %s: the vocabulary has no token '%s', which ends a turn",
                        how->name, how->marks[0]);
    return IFN_OK;
}

static ifn_status append(const ifn_tokens *ids, ifn_tokens *out, ifn_error *err)
{
    for (size_t i = 0; i < ids->n; i++)
        IFN_TRY(ifn_tokens_append(out, ids->ids[i], err));
    return IFN_OK;
}

static ifn_status tokenize(const ifn_tokenizer *tokenizer, const char *data, size_t bytes,
                           uint32_t flags, ifn_tokens *out, ifn_error *err)
{
    ifn_tokens ids;
    IFN_TRY(ifn_tokenize(tokenizer, data, bytes, flags, &ids, err));
    const ifn_status status = append(&ids, out, err);
    ifn_tokens_free(&ids);
    return status;
}

ifn_status chat_ids_begin(const ifn_tokenizer *tokenizer, ifn_tokens *out, ifn_error *err)
{
    return tokenize(tokenizer, "", 0, IFN_TOKENIZE_NO_EOS, out, err);
}

/* The marks of a template in a vocabulary. */
typedef struct marks {
    const chat_template *how;
    ifn_token ids[CHAT_TEMPLATE_MARKS]; /* IFN_TOKEN_NONE: the mark is plain text */
} marks;

static ifn_status find_marks(const ifn_tokenizer *tokenizer, const chat_template *how, marks *out,
                             ifn_error *err)
{
    out->how = how;
    for (int i = 0; i < CHAT_TEMPLATE_MARKS; i++) {
        const char *const mark = how->marks[i] ? how->marks[i] : "";
        IFN_TRY(find_mark(tokenizer, mark, strlen(mark), &out->ids[i], err));
    }
    return IFN_OK;
}

/* Returns true if a mark begins at `at` that the tokenizer would recognise even in plain text. */
static bool is_spelled(const ifn_tokenizer *tokenizer, const marks *m, const char *at, size_t bytes)
{
    for (int i = 0; i < CHAT_TEMPLATE_MARKS && m->how->marks[i]; i++) {
        const size_t length = strlen(m->how->marks[i]);
        if (m->ids[i] != IFN_TOKEN_NONE && length <= bytes &&
            memcmp(at, m->how->marks[i], length) == 0 &&
            ifn_tokenizer_type(tokenizer, m->ids[i]) == IFN_TOKEN_USER_DEFINED)
            return 1;
    }
    return 0;
}

/* Appends text that must not become a mark: a spelling of a USER_DEFINED mark is split after its first byte. */
static ifn_status add_plain(const ifn_tokenizer *tokenizer, const marks *m, const char *data,
                            size_t bytes, ifn_tokens *out, ifn_error *err)
{
    size_t from = 0;
    for (size_t i = 0; i < bytes; i++)
        if (is_spelled(tokenizer, m, data + i, bytes - i)) {
            IFN_TRY(tokenize(tokenizer, data + from, i + 1 - from, PLAIN, out, err));
            from = i + 1;
        }
    return from < bytes ? tokenize(tokenizer, data + from, bytes - from, PLAIN, out, err) : IFN_OK;
}

/* Marks that the vocabulary lacks are tokenized together with the text around them. */
ifn_status chat_ids_add(const ifn_tokenizer *tokenizer, const chat_template *how,
                        const chat_text *turn, ifn_tokens *out, ifn_error *err)
{
    marks m;
    size_t from = 0;
    IFN_TRY(find_marks(tokenizer, how, &m, err));
    for (size_t i = 0; i < turn->n_marks; i++) {
        const chat_mark mark = turn->marks[i];
        if (m.ids[mark.which] == IFN_TOKEN_NONE)
            continue;
        IFN_TRY(add_plain(tokenizer, &m, turn->text.data + from, mark.at - from, out, err));
        IFN_TRY(ifn_tokens_append(out, m.ids[mark.which], err));
        from = mark.at + strlen(how->marks[mark.which]);
    }
    return add_plain(tokenizer, &m, turn->text.data + from, turn->text.bytes - from, out, err);
}
