/*
 * What the backend `trace` saw of the calls that went through it: each as it ends, totals, and
 * files for viewers.
 *
 * Every function takes a whole chain, as ifn_backend_open gave it. `trace` may stand anywhere in
 * it, more than once too; where it does not stand at all, nothing is recorded and nothing happens.
 * Calls that come on different lanes are recorded without locks. All functions but ifn_trace_line
 * are to be called while no op runs on the chain.
 *
 * Each lane keeps its first 65536 calls (`trace=N`: N of them) for the files; the calls after those
 * are counted as dropped, and are in the totals all the same.
 *
 * Stability: the listener and totals are stable, ifn_trace_call grows at the end; what the writers
 * of files write, and ifn_trace_line, is experimental.
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
    const ifn_backend *inner; /* what ran it; borrowed */
    ifn_op op;
    const ifn_call *args;      /* borrowed; NULL for a span */
    const char *name;          /* of the op or the span */
    int32_t depth;             /* 1 + spans around it + `trace`s further out */
    ifn_status status;         /* what it returned */
    uint64_t start_ns, end_ns; /* ifn_clock_ns */
    uint64_t staged_bytes;     /* moved between a device that lacks the op and the host */
} ifn_trace_call;

/* Hears of every call, on the thread and in the moment it returns: on several at once where the
 * chain splits calls. */
typedef void (*ifn_trace_listener)(void *cookie, const ifn_trace_call *call);

/* Sets the listener of every `trace` of the chain; NULL: none. Returns how many there are. */
IFN_API int ifn_trace_listen(ifn_backend *chain, ifn_trace_listener listener, void *cookie);

/**
 * Writes a call as a line without its end, cut where `bytes` end, and returns its length:
 *
 *     -> -> [SIMD] [matmul] (a=[4,1024], b=[1024,3072]) 312.4us blk.0.q
 *
 * One "-> " for each depth, the inner backend in capitals, the shapes the op reads (with their
 * dtype unless it is F32), the part if it is one. From a millisecond on the time is in ms with
 * three decimals. Where the call stands in the forward pass follows, if it says so, then what was
 * staged of it. A call that failed ends in the name of its status.
 */
IFN_EXPERIMENTAL IFN_API size_t ifn_trace_line(const ifn_trace_call *call, char *out, size_t bytes);

/* Opens a span, such as one forward pass, and closes the innermost one. Calls in between lie in it.
 * `name` is borrowed until the chain is closed. */
IFN_API void ifn_trace_begin(ifn_backend *chain, const char *name);
IFN_API void ifn_trace_end(ifn_backend *chain);

/* What the outermost `trace` counted, over all its lanes. */
typedef struct ifn_trace_total {
    uint32_t bytes; /* of this struct: IFN_TRACE_TOTAL_INIT */
    uint64_t calls, failed;
    uint64_t total_ns, min_ns, max_ns;
    uint64_t p50_ns, p99_ns; /* percentiles of the times of single calls, to within a 32nd */
    /* Of the calls that did not fail: bytes that their operands hold, each once. */
    uint64_t moved_bytes, flops;
    uint64_t staged_bytes; /* ifn_backend_staged_bytes */
} ifn_trace_total;

#define IFN_TRACE_TOTAL_INIT IFN_SIZED_INIT(ifn_trace_total)

/* The totals of one op; of all ops for IFN_OP_COUNT. Returns 1, or 0 where there is no `trace`. */
IFN_API int ifn_trace_totals(const ifn_backend *chain, ifn_op op, ifn_trace_total *out);

/* The same for the spans of a name. Bytes and flops stay 0. */
IFN_API int ifn_trace_span_totals(const ifn_backend *chain, const char *name, ifn_trace_total *out);

/* Calls and spans that no lane had room to keep. */
IFN_API uint64_t ifn_trace_dropped(const ifn_backend *chain);

/* Takes pieces of a file, in order. What it returns, if not IFN_OK, ends the writing. */
typedef ifn_status (*ifn_trace_sink)(void *cookie, const char *data, size_t bytes);

/* What the machine can do, to compare with; 0 where it was not measured. */
typedef struct ifn_trace_ceilings {
    uint32_t bytes; /* of this struct: IFN_TRACE_CEILINGS_INIT */
    double bytes_per_s, flops_per_s;
} ifn_trace_ceilings;

#define IFN_TRACE_CEILINGS_INIT IFN_SIZED_INIT(ifn_trace_ceilings)

/**
 * A table, the op with the largest total first: calls, total, share, mean, p50, p99, rates, and how
 * much of the ceilings (NULL: not known) those are. Spans follow.
 * Errors  what the sink returned; IFN_ERR_ARGUMENT where there is no `trace` in the chain
 */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status
ifn_trace_write_summary(const ifn_backend *chain, const ifn_trace_ceilings *ceilings,
                        ifn_trace_sink sink, void *cookie, ifn_error *err);

/**
 * The calls that were kept in the trace event format of Chrome and Perfetto: one JSON document, a
 * process for each `trace`, a thread for each of its lanes.
 * Errors  as above; IFN_ERR_NOMEM
 */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_trace_write_chrome(const ifn_backend *chain,
                                                                         ifn_trace_sink sink,
                                                                         void *cookie,
                                                                         ifn_error *err);

/**
 * The calls that the outermost `trace` kept as folded stacks, which flame graphs are drawn from:
 * "span;op;weight nanoseconds", one line for each stack. Time of a span in no op is on its own
 * line.
 * Errors  as above
 */
IFN_EXPERIMENTAL IFN_API IFN_NODISCARD ifn_status ifn_trace_write_folded(const ifn_backend *chain,
                                                                         ifn_trace_sink sink,
                                                                         void *cookie,
                                                                         ifn_error *err);

IFN_EXTERN_C_END

#endif
