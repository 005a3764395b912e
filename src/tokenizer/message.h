/* What messages of the tokenizer have in common. */
#ifndef IFN_TOKENIZER_MESSAGE_H
#define IFN_TOKENIZER_MESSAGE_H

#include <string.h>

#include <inferno/gguf.h>
#include <inferno/status.h>

static inline ifn_status ifn_tokenizer_nomem(ifn_error *err)
{
    return ifn_fail(err, IFN_ERR_NOMEM, "tokenizer: out of memory");
}

/* The end of the file's path: a long path must not push the reason out of the message. */
static inline const char *ifn_tokenizer_file(const ifn_gguf *gguf)
{
    enum { LONGEST = 60 };
    const char *path = ifn_gguf_path(gguf);
    const size_t bytes = strlen(path);
    return bytes > LONGEST ? path + bytes - LONGEST : path;
}

/* For "%.*s": how much of a string from the file a message quotes. */
static inline int ifn_tokenizer_quoted(ifn_string text)
{
    enum { LONGEST = 40 };
    return text.bytes < LONGEST ? (int)text.bytes : LONGEST;
}

#endif
