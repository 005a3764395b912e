/*
 * Text to ids and back, from the vocabulary inside a GGUF file.
 *
 * Stability: stable. Structs of callers grow at the end and say how long they are.
 */
#ifndef INFERNO_TOKENIZER_H
#define INFERNO_TOKENIZER_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/alloc.h>
#include <inferno/export.h>
#include <inferno/gguf.h>
#include <inferno/status.h>
#include <inferno/token.h>

IFN_EXTERN_C_BEGIN

typedef struct ifn_tokenizer ifn_tokenizer; /* immutable once open; threads may share it */

/* tokenizer.ggml.token_type */
enum {
    IFN_TOKEN_NORMAL = 1,
    IFN_TOKEN_UNKNOWN = 2,
    IFN_TOKEN_CONTROL = 3,
    IFN_TOKEN_USER_DEFINED = 4,
    IFN_TOKEN_UNUSED = 5,
    IFN_TOKEN_BYTE = 6
};

typedef int32_t ifn_token_type;

/**
 * Builds a tokenizer from metadata. `gguf` is borrowed and must stay open as long as the tokenizer.
 * Models: "gpt2" (byte-level BPE) and "llama" (SentencePiece). Errors name the key.
 */
IFN_API IFN_NODISCARD ifn_status ifn_tokenizer_open(const ifn_gguf *gguf,
                                                    const ifn_allocator *alloc, ifn_tokenizer **out,
                                                    ifn_error *err);
IFN_API void ifn_tokenizer_close(ifn_tokenizer *self); /* NULL is fine */

/* Oddities of the metadata that change no result, one line each; NULL after the last. Those that would
 * change a result are errors of ifn_tokenizer_open. Borrowed. */
IFN_API const char *ifn_tokenizer_warning(const ifn_tokenizer *self, int i);

/* Flags of ifn_tokenize. */
enum {
    IFN_TOKENIZE_NO_SPECIAL = 1, /* text that spells a CONTROL or UNKNOWN token stays text */
    IFN_TOKENIZE_NO_BOS = 2,     /* do not add what the metadata asks to add */
    IFN_TOKENIZE_NO_EOS = 4
};

/* Ids of a text. Owned by the caller, released with ifn_tokens_free. */
typedef struct ifn_tokens {
    ifn_token *ids;
    size_t n;
    size_t capacity;
    const ifn_allocator *alloc;
} ifn_tokens;

/**
 * Encodes `bytes` bytes, at most 2^29 (any bytes: invalid UTF-8 and NUL included). *out is
 * overwritten; on failure it is empty. O(n log n).
 */
IFN_API IFN_NODISCARD ifn_status ifn_tokenize(const ifn_tokenizer *self, const char *text,
                                              size_t bytes, uint32_t flags, ifn_tokens *out,
                                              ifn_error *err);
/* Errors  IFN_ERR_NOMEM */
IFN_API IFN_NODISCARD ifn_status ifn_tokens_append(ifn_tokens *tokens, ifn_token id,
                                                   ifn_error *err);
IFN_API void ifn_tokens_free(ifn_tokens *tokens);

IFN_API int64_t ifn_tokenizer_n_vocab(const ifn_tokenizer *self);
IFN_API ifn_token ifn_tokenizer_bos(const ifn_tokenizer *self); /* or IFN_TOKEN_NONE */
IFN_API ifn_token ifn_tokenizer_eos(const ifn_tokenizer *self); /* or IFN_TOKEN_NONE */
/* 1 if generation ends at this id: end of sequence, end of turn, end of text. */
IFN_API int ifn_tokenizer_is_end(const ifn_tokenizer *self, ifn_token id);
IFN_API ifn_token_type ifn_tokenizer_type(const ifn_tokenizer *self, ifn_token id);
/* The entry as the vocabulary spells it ("Ġworld"); empty for an id out of range. Borrowed. */
IFN_API ifn_string ifn_tokenizer_spelling(const ifn_tokenizer *self, ifn_token id);

/**
 * Streaming detokenization: feed ids one by one, get bytes that end at a character boundary.
 * Caller's storage, from IFN_DETOKENIZER_INIT. Bytes of an unfinished character wait inside
 * until it is complete or known to be invalid; ifn_detokenizer_flush hands out what is left.
 */
typedef struct ifn_detokenizer {
    uint32_t bytes; /* of this struct: IFN_DETOKENIZER_INIT, before ifn_detokenizer_init */
    uint32_t flags;
    const ifn_tokenizer *tokenizer;
    uint8_t pending[8];
    int32_t n_pending;
    int32_t started; /* SentencePiece: the first space has been dealt with */
} ifn_detokenizer;

#define IFN_DETOKENIZER_INIT IFN_SIZED_INIT(ifn_detokenizer)

enum {                                       /* flags of ifn_detokenizer_init */
       IFN_DETOKENIZE_SHOW_SPECIAL = 1 << 0, /* CONTROL and UNKNOWN print as they are spelled */
       IFN_DETOKENIZE_CONTINUE = 1 << 1      /* the ids continue a text: keep a leading space */
};

IFN_API void ifn_detokenizer_init(ifn_detokenizer *self, const ifn_tokenizer *tokenizer,
                                  uint32_t flags);

typedef ifn_status (*ifn_text_sink)(void *cookie, const char *data, size_t bytes);

/* Hands the bytes that are ready to `sink`, in zero or more calls.
 * IFN_ERR_ARGUMENT: id out of range. */
IFN_API IFN_NODISCARD ifn_status ifn_detokenizer_push(ifn_detokenizer *self, ifn_token id,
                                                      ifn_text_sink sink, void *cookie,
                                                      ifn_error *err);
IFN_API IFN_NODISCARD ifn_status ifn_detokenizer_flush(ifn_detokenizer *self, ifn_text_sink sink,
                                                       void *cookie, ifn_error *err);

IFN_EXTERN_C_END

#endif
