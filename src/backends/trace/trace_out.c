#include "trace_out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PIECE_BYTES = 256 };

static void flush(trace_out *self)
{
    if (self->status == IFN_OK && self->used > 0)
        self->status = self->sink(self->cookie, self->data, self->used);
    self->used = 0;
}

static void put(trace_out *self, const char *data, size_t bytes)
{
    while (bytes > 0) {
        const size_t room = sizeof self->data - self->used;
        const size_t n = bytes < room ? bytes : room;
        memcpy(self->data + self->used, data, n);
        self->used += n;
        data += n;
        bytes -= n;
        if (self->used == sizeof self->data)
            flush(self);
    }
}

void ifn_trace_out_print(trace_out *self, const char *format, ...)
{
    char piece[PIECE_BYTES];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (length > 0)
        put(self, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
}

void ifn_trace_out_text(trace_out *self, const char *text)
{
    put(self, text, strlen(text));
}

void ifn_trace_out_json(trace_out *self, const char *text)
{
    put(self, "\"", 1);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c >= 0x80)
            ifn_trace_out_text(self, "\\ufffd");
        else if (c < 0x20 || c == 0x7f)
            ifn_trace_out_print(self, "\\u%04x", c);
        else {
            if (c == '"' || c == '\\')
                put(self, "\\", 1);
            put(self, text, 1);
        }
    }
    put(self, "\"", 1);
}

void ifn_trace_out_frame(trace_out *self, const char *text)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        put(self, c <= ' ' || c == ';' || c == 0x7f ? "_" : text, 1);
    }
}

ifn_status ifn_trace_out_finish(trace_out *self)
{
    flush(self);
    return self->status;
}
