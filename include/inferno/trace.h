/*
 * What the wrapper `trace` recorded of the calls that passed through it: each call as it ends, totals, and
 * files for viewers.
 *
 * Every function takes a whole chain, as ifn_backend_open returned it. `trace` may stand anywhere in
 * it, more than once too; in a chain without it the functions do nothing. `trace` records calls on
 * different lanes without locks. Call all functions except ifn_trace_line only while no op runs on the
 * chain.
 *
 * Each lane keeps its first 65536 calls (`trace=N`: N of them) for the files; later calls count as
 * dropped, but are in the totals all the same.
 *
 * Stability: the listener and totals are stable, ifn_trace_call grows at the end; ifn_trace_line and the
 * contents of the files are experimental.
 */
#ifndef INFERNO_TRACE_H
#define INFERNO_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/backend.h>
#include <inferno/export.h>
#include <inferno/ops.h>
#include <inferno/status.h>

IFN_EXTERN_C_BEGIN

/* One call of an op, after it has returned; or, with op IFN_OP_COUNT, a span that has ended. */
typedef struct ifn_trace_call {
    const ifn_backend *inner; /* the backend that ran it; borrowed */
    ifn_op op;
    const ifn_call *args;      /* borrowed; NULL for a span */
    const char *name;          /* of the op or the span */
    int32_t depth;             /* 1 + spans around it + `trace`s further out */
    ifn_status status;         /* what it returned */
    uint64_t start_ns, end_ns; /* ifn_clock_ns */
    uint64_t staged_bytes;     /* copied between a device that lacks the op and the host */
} ifn_trace_call;

/* Called for every call when it returns, on its thread: on several threads at once if the chain
 * splits calls. */
typedef void (*ifn_trace_listener)(void *cookie, const ifn_trace_call *call);

/* Sets the listener of every `trace` of the chain; NULL: none. Returns how many there are. */
IFN_API int ifn_trace_listen(ifn_backend *chain, ifn_trace_listener listener, void *cookie);

/**
 * Writes a call as a line without newline, truncated to `bytes`, and returns its length:
 *
 *     -> -> [SIMD] [matmul] (a=[4,1024], b=[1024,3072]) 312.4us blk.0.q
 *
 * One "-> " for each depth, the inner backend in capitals, the shapes the op reads (with their
 * dtype unless it is F32), the part if the call is one. Times of a millisecond and more are in ms with
 * three decimals. Then follow the call's place in the forward pass, if stated, and its staged bytes. The
 * line of a failed call ends in the name of its status.
 */
IFN_EXPERIMENTAL IFN_API size_t ifn_trace_line(const ifn_trace_call *call, char *out, size_t bytes);

/* ifn_trace_begin opens a span, such as one forward pass; ifn_trace_end closes the innermost one. Calls in
 * between lie in it. `name` is borrowed until the chain is closed. */
IFN_API void ifn_trace_begin(ifn_backend *chain, const char *name);
IFN_API void ifn_trace_end(ifn_backend *chain);

/* The totals of the outermost `trace`, over all its lanes. */
typedef struct ifn_trace_total {
    uint32_t bytes; /* of this struct: IFN_TRACE_TOTAL_INIT */
    uint64_t calls, failed;
    uint64_t total_ns, min_ns, max_ns;
    uint64_t p50_ns, p99_ns; /* percentiles of the times of single calls, to within a 32nd */
    /* Of the calls that did not fail: bytes of their operands, each counted once, and flops. */
    uint64_t moved_bytes, flops;
    uint64_t staged_bytes; /* ifn_backend_staged_bytes */
} ifn_trace_total;

#define IFN_TRACE_TOTAL_INIT IFN_SIZED_INIT(ifn_trace_total)

/* The totals of one op; of all ops for IFN_OP_COUNT. Returns 1, or 0 if there is no `trace`. */
IFN_API int ifn_trace_totals(const ifn_backend *chain, ifn_op op, ifn_trace_total *out);

/* The same for the spans with this name. Bytes and flops stay 0. */
IFN_API int ifn_trace_span_totals(const ifn_backend *chain, const char *name, ifn_trace_total *out);

/* How many calls and spans were dropped, as their lane had no room. */
IFN_API uint64_t ifn_trace_dropped(const ifn_backend *chain);

/* Receives the pieces of a file in order. If it returns anything but IFN_OK, writing stops. */
typedef ifn_status (*ifn_trace_sink)(void *cookie, const char *data, size_t bytes);

/* The machine's peak rates, for comparison; 0 if not measured. */
typedef struct ifn_trace_ceilings {
    uint32_t bytes; /* of this struct: IFN_TRACE_CEILINGS_INIT */
    double bytes_per_s, flops_per_s;
} ifn_trace_ceilings;

#define IFN_TRACE_CEILINGS_INIT IFN_SIZED_INIT(ifn_trace_ceilings)

/**
 * Writes a table, the op with the largest total first: calls, total, share, mean, p50, p99, rates, and
 * their share of the ceilings (NULL: not known). Spans follow.
 * Errors  what the sink returned; IFN_ERR_ARGUMENT where there is no `trace` in the chain
 */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status
ifn_trace_write_summary(const ifn_backend *chain, const ifn_trace_ceilings *ceilings,
                        ifn_trace_sink sink, void *cookie, ifn_error *err);

/**
 * Writes the kept calls in the trace event format of Chrome and Perfetto: one JSON document, with a
 * process for each `trace` and a thread for each of its lanes.
 * Errors  as above; IFN_ERR_NOMEM
 */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_trace_write_chrome(const ifn_backend *chain,
                                                                         ifn_trace_sink sink,
                                                                         void *cookie,
                                                                         ifn_error *err);

/**
 * Writes the calls that the outermost `trace` kept as folded stacks, the input of flame graph tools:
 * "span;op;weight nanoseconds", one line per stack. The time of a span outside of ops has a line of its
 * own.
 * Errors  as above
 */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_trace_write_folded(const ifn_backend *chain,
                                                                         ifn_trace_sink sink,
                                                                         void *cookie,
                                                                         ifn_error *err);

IFN_EXTERN_C_END

#endif
