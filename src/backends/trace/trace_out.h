/* Buffers text and hands it to a sink, a few kilobytes at a time. Writes nothing more after a failure. */
#ifndef IFN_TRACE_OUT_H
#define IFN_TRACE_OUT_H

#include <inferno/trace.h>

/* Caller's storage: {.sink = sink, .cookie = cookie}. */
typedef struct trace_out {
    ifn_trace_sink sink;
    void *cookie;
    ifn_status status;
    size_t used;
    char data[4096];
} trace_out;

/* One call writes at most 256 bytes; use ifn_trace_out_text for text of any length. */
void ifn_trace_out_print(trace_out *self, const char *format, ...) IFN_PRINTF(2, 3);
void ifn_trace_out_text(trace_out *self, const char *text);

/* A JSON string, quotes included; bytes outside ASCII become U+FFFD. */
void ifn_trace_out_json(trace_out *self, const char *text);
/* Writes a frame of a folded stack: characters that would end a frame become '_'. */
void ifn_trace_out_frame(trace_out *self, const char *text);

/* Hands the rest to the sink. Returns the first failure, or IFN_OK. */
ifn_status ifn_trace_out_finish(trace_out *self);

#endif
