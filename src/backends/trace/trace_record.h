/*
 * The state of the wrapper `trace`: one record per lane, which only the thread that runs a call on the
 * lane writes, and the spans that the program opened. Everything is allocated once.
 */
#ifndef IFN_TRACE_RECORD_H
#define IFN_TRACE_RECORD_H

#include <inferno/trace.h>

#include "trace_histogram.h"

enum { TRACE_LABEL_BYTES = 24, TRACE_NO_SPAN = -1, TRACE_MAX_EVENTS = 1 << 24 };

/* A call that was kept: one cache line. */
typedef struct trace_event {
    uint64_t start_ns, end_ns;
    uint64_t bytes, flops;
    int32_t span; /* the innermost span around it, or TRACE_NO_SPAN */
    uint16_t op, status;
    char label[TRACE_LABEL_BYTES]; /* the weight it read, without ".weight"; or "" */
} trace_event;

/* The totals over all calls of an op, kept or not. */
typedef struct trace_count {
    uint64_t calls, failed, total_ns, min_ns, max_ns, bytes, flops, staged_bytes;
    trace_histogram times;
} trace_count;

typedef struct trace_lane {
    _Alignas(64) trace_count counts[IFN_OP_COUNT];
    trace_event *events; /* [room] */
    size_t n_events, n_dropped;
} trace_lane;

typedef struct trace_span {
    const char *name;
    int32_t parent;            /* or TRACE_NO_SPAN */
    uint64_t start_ns, end_ns; /* end 0: still open */
} trace_span;

typedef struct trace_state {
    const ifn_allocator *alloc;
    int32_t n_lanes;
    size_t room; /* events of a lane, and spans */
    ifn_trace_listener listener;
    void *cookie;
    struct trace_state *outermost; /* `trace` of the chain; its spans count */
    int32_t n_outside;             /* how many `trace`s stand further out */
    trace_span *spans;             /* [room] */
    size_t n_spans, n_spans_dropped;
    int32_t open_span, depth; /* the innermost span; spans that are open, dropped ones too */
    trace_lane *lanes;        /* [n_lanes] */
} trace_state;

/* Errors  IFN_ERR_NOMEM */
ifn_status ifn_trace_state_open(int32_t n_lanes, size_t room, const ifn_allocator *alloc,
                                trace_state **out, ifn_error *err);
void ifn_trace_state_close(trace_state *self); /* NULL is fine */

/* Records a call that has returned: counts it, keeps it, calls the listener. For a lane that the chain was
 * not opened for it only calls the listener. */
void ifn_trace_state_add(trace_state *self, const ifn_trace_call *call);

void ifn_trace_state_begin(trace_state *self, const char *name);
/* Ends the innermost span and returns it, or NULL if none is open or it was dropped. */
const trace_span *ifn_trace_state_end(trace_state *self);

/* The totals of one op, or of all ops for IFN_OP_COUNT; and those of the spans with a name. */
void ifn_trace_state_totals(const trace_state *self, ifn_op op, ifn_trace_total *out);
void ifn_trace_state_span_totals(const trace_state *self, const char *name, ifn_trace_total *out);

extern const ifn_backend_desc ifn_backend_trace;

/* The outermost `trace` of a chain, or of an inner part of it; NULL: none. */
const ifn_backend *ifn_trace_find(const ifn_backend *chain);
static inline trace_state *trace_state_of(const ifn_backend *trace)
{
    return trace->state;
}

#endif
