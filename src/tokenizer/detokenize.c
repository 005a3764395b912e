/* Turns ids into bytes, one id at a time, and outputs whole UTF-8 characters only. */
#include <inferno/tokenizer.h>

#include <string.h>

#include "bytemap.h"
#include "sized.h"
#include "tokenizer_priv.h"
#include "utf8.h"

/* A small buffer for bytes on their way to the sink, flushed at character boundaries: a full buffer is passed on
 * but for an unfinished character at its end. Tokens may be longer than the buffer. */
typedef struct output {
    ifn_text_sink sink;
    void *cookie;
    uint8_t room[256];
    size_t n;
    ifn_status status; /* of the sink; after a failure nothing more is handed over */
} output;

static void hand_over(output *o, size_t bytes)
{
    if (bytes && o->status == IFN_OK)
        o->status = o->sink(o->cookie, (const char *)o->room, bytes);
    o->n -= bytes;
    memmove(o->room, o->room + bytes, o->n);
}

static void hand_over_finished(output *o)
{
    hand_over(o, o->n - ifn_utf8_unfinished(o->room, o->n));
}

static void put(output *o, const char *data, size_t bytes)
{
    while (bytes > 0) {
        const size_t free_bytes = sizeof o->room - o->n;
        const size_t n = bytes < free_bytes ? bytes : free_bytes;
        memcpy(o->room + o->n, data, n);
        o->n += n;
        data += n;
        bytes -= n;
        if (o->n == sizeof o->room)
            hand_over_finished(o);
    }
}

/* Outputs a token of byte-level BPE. A spelling with a character that stands for no byte is output as it is. */
static void put_spelled_bytes(output *o, ifn_string text)
{
    if (!ifn_bytemap_covers(text)) {
        put(o, text.data, text.bytes);
        return;
    }
    for (size_t i = 0; i < text.bytes;) {
        uint8_t byte;
        i += ifn_bytemap_read(text.data + i, text.bytes - i, &byte);
        put(o, (const char *)&byte, 1);
    }
}

static void put_with_spaces(output *o, ifn_string text, bool skip_first)
{
    static const char space[] = "\xe2\x96\x81";
    const size_t width = sizeof space - 1;
    for (size_t i = 0; i < text.bytes;) {
        const bool is_space = text.bytes - i >= width && memcmp(text.data + i, space, width) == 0;
        if (!is_space)
            put(o, text.data + i, 1);
        else if (i > 0 || !skip_first)
            put(o, " ", 1);
        i += is_space ? width : 1;
    }
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* "<0x0A>" -> 10; -1 for anything else. */
static int named_byte(ifn_string text)
{
    if (text.bytes != 6 || memcmp(text.data, "<0x", 3) != 0 || text.data[5] != '>')
        return -1;
    const int high = hex_digit(text.data[3]), low = hex_digit(text.data[4]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

static void put_token(ifn_detokenizer *self, output *o, ifn_token id)
{
    const ifn_tokenizer *t = self->tokenizer;
    const ifn_string text = t->vocab.spelling[id];
    const int byte = named_byte(text);
    const bool at_start =
        t->meta.space_prefix && !self->started && !(self->flags & IFN_DETOKENIZE_CONTINUE);
    switch (t->vocab.type[id]) {
    case IFN_TOKEN_UNUSED:
        return;
    case IFN_TOKEN_CONTROL:
    case IFN_TOKEN_UNKNOWN:
        if (!(self->flags & IFN_DETOKENIZE_SHOW_SPECIAL))
            return;
        put(o, text.data, text.bytes);
        break;
    case IFN_TOKEN_USER_DEFINED:
        put(o, text.data, text.bytes);
        break;
    default:
        if (t->vocab.type[id] == IFN_TOKEN_BYTE && byte >= 0)
            put(o, &(char){(char)byte}, 1);
        else if (t->meta.pre)
            put_spelled_bytes(o, text);
        else
            put_with_spaces(o, text, at_start);
    }
    self->started = 1;
}

void ifn_detokenizer_init(ifn_detokenizer *self, const ifn_tokenizer *tokenizer, uint32_t flags)
{
    const ifn_detokenizer own = IFN_SIZED(ifn_detokenizer, .tokenizer = tokenizer, .flags = flags);
    ifn_sized_write(self, &own, sizeof own);
}

static output take_pending(const ifn_detokenizer *self, ifn_text_sink sink, void *cookie)
{
    output o = {.sink = sink, .cookie = cookie, .n = (size_t)self->n_pending};
    memcpy(o.room, self->pending, o.n);
    return o;
}

static void keep_pending(ifn_detokenizer *self, const output *o)
{
    self->n_pending = (int32_t)o->n;
    memcpy(self->pending, o->room, o->n);
}

static ifn_status sink_failed(ifn_status status, ifn_error *err)
{
    return status == IFN_OK ? status : ifn_fail(err, status, "text: the receiver refused it");
}

ifn_status ifn_detokenizer_push(ifn_detokenizer *self, ifn_token id, ifn_text_sink sink,
                                void *cookie, ifn_error *err)
{
    ifn_detokenizer own;
    IFN_TRY(ifn_sized_read(&own, sizeof own, self, "ifn_detokenizer", err));
    const int64_t n_vocab = ifn_tokenizer_n_vocab(own.tokenizer);
    if (id < 0 || id >= n_vocab)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "token id: found %d, expected 0 to %lld", (int)id,
                        (long long)n_vocab - 1);
    output o = take_pending(&own, sink, cookie);
    put_token(&own, &o, id);
    hand_over_finished(&o);
    keep_pending(&own, &o);
    ifn_sized_write(self, &own, sizeof own);
    return sink_failed(o.status, err);
}

ifn_status ifn_detokenizer_flush(ifn_detokenizer *self, ifn_text_sink sink, void *cookie,
                                 ifn_error *err)
{
    ifn_detokenizer own;
    IFN_TRY(ifn_sized_read(&own, sizeof own, self, "ifn_detokenizer", err));
    output o = take_pending(&own, sink, cookie);
    hand_over(&o, o.n);
    keep_pending(&own, &o);
    ifn_sized_write(self, &own, sizeof own);
    return sink_failed(o.status, err);
}
