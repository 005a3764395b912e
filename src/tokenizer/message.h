/* Helpers for messages of the tokenizer. */
#ifndef IFN_TOKENIZER_MESSAGE_H
#define IFN_TOKENIZER_MESSAGE_H

#include <inferno/gguf.h>
#include <inferno/status.h>

static inline ifn_status ifn_tokenizer_nomem(ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_NOMEM, "tokenizer: out of memory");
}

static inline const char *ifn_tokenizer_file(const ifn_gguf *gguf)
{
    return ifn_path_label(ifn_gguf_path(gguf));
}

/* How many bytes of a string from the file a message quotes, for "%.*s". */
static inline int ifn_tokenizer_quoted(ifn_string text)
{
    enum { LONGEST = 40 };
    return text.bytes < LONGEST ? (int)text.bytes : LONGEST;
}

#endif
