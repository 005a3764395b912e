/* Text on its way to a sink, a few kilobytes at a time. After a failure it writes nothing more.
 */
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

/* One piece is at most 256 bytes long; use ifn_trace_out_text for what has no such limit. */
void ifn_trace_out_print(trace_out *self, const char *format, ...) IFN_PRINTF(2, 3);
void ifn_trace_out_text(trace_out *self, const char *text);

/* A JSON string, quotes included; bytes outside ASCII become U+FFFD. */
void ifn_trace_out_json(trace_out *self, const char *text);
/* A frame of a folded stack: what would end one becomes '_'. */
void ifn_trace_out_frame(trace_out *self, const char *text);

/* Hands on what is left. Returns the first thing that went wrong. */
ifn_status ifn_trace_out_finish(trace_out *self);

#endif
