/*
 * The trace event format: complete events ("ph":"X") with times in microseconds, and metadata
 * ("ph":"M") that names processes and threads. Spans lie on the thread of lane 0, around the calls.
 */
#include <inttypes.h>
#include <stdio.h>

#include "trace_out.h"
#include "trace_record.h"

typedef struct writer {
    trace_out out;
    uint64_t zero_ns; /* the origin of times */
    int n_events;
    int pid;
} writer;

static void begin_event(writer *w)
{
    ifn_trace_out_text(&w->out, w->n_events++ ? ",\n" : "\n");
}

static void put_microseconds(writer *w, const char *key, uint64_t ns)
{
    ifn_trace_out_print(&w->out, "\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

static void put_metadata(writer *w, const char *what, int tid, const char *name)
{
    begin_event(w);
    ifn_trace_out_print(
        &w->out, "{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":", what,
        w->pid, tid);
    ifn_trace_out_json(&w->out, name);
    ifn_trace_out_text(&w->out, "}}");
}

static void put_complete(writer *w, const char *name, const char *category, int tid,
                         uint64_t start_ns, uint64_t end_ns)
{
    begin_event(w);
    ifn_trace_out_text(&w->out, "{\"name\":");
    ifn_trace_out_json(&w->out, name);
    ifn_trace_out_print(&w->out, ",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,", category,
                        w->pid, tid);
    put_microseconds(w, "ts", start_ns - w->zero_ns);
    ifn_trace_out_text(&w->out, ",");
    put_microseconds(w, "dur", end_ns - start_ns);
}

static void put_call(writer *w, int tid, const trace_event *e)
{
    put_complete(w, ifn_op_name((ifn_op)e->op), "op", tid, e->start_ns, e->end_ns);
    ifn_trace_out_print(&w->out, ",\"args\":{\"bytes\":%" PRIu64 ",\"flops\":%" PRIu64, e->bytes,
                        e->flops);
    if (e->label[0]) {
        ifn_trace_out_text(&w->out, ",\"weight\":");
        ifn_trace_out_json(&w->out, e->label);
    }
    if (e->status != IFN_OK)
        ifn_trace_out_print(&w->out, ",\"status\":\"%s\"", ifn_status_name((ifn_status)e->status));
    ifn_trace_out_text(&w->out, "}}");
}

static void put_lane(writer *w, int number, const trace_lane *lane)
{
    char name[32];
    snprintf(name, sizeof name, "lane %d", number);
    put_metadata(w, "thread_name", number, name);
    for (size_t i = 0; i < lane->n_events; i++)
        put_call(w, number, &lane->events[i]);
}

static void put_spans(writer *w, const trace_state *s)
{
    for (size_t i = 0; i < s->n_spans; i++) {
        const trace_span *const span = &s->spans[i];
        if (span->end_ns == 0)
            continue;
        put_complete(w, span->name, "span", 0, span->start_ns, span->end_ns);
        ifn_trace_out_text(&w->out, "}");
    }
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The earliest start of all calls and spans. */
static uint64_t first_moment(const ifn_backend *chain)
{
    uint64_t first = UINT64_MAX;
    for (const ifn_backend *t = ifn_trace_find(chain); t; t = ifn_trace_find(t->inner)) {
        const trace_state *const s = trace_state_of(t);
        if (s->n_spans > 0)
            first = smaller(first, s->spans[0].start_ns);
        for (int32_t i = 0; i < s->n_lanes; i++)
            if (s->lanes[i].n_events > 0)
                first = smaller(first, s->lanes[i].events[0].start_ns);
    }
    return first;
}

ifn_status ifn_trace_write_chrome(const ifn_backend *chain, ifn_trace_sink sink, void *cookie,
                                  ifn_error *err)
{
    writer w = {.out = {.sink = sink, .cookie = cookie}, .zero_ns = first_moment(chain)};
    if (!ifn_trace_find(chain))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': there is no trace in it",
                        chain->desc->name);
    ifn_trace_out_print(&w.out,
                        "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":%" PRIu64 "},",
                        ifn_trace_dropped(chain));
    ifn_trace_out_text(&w.out, "\"traceEvents\":[");
    for (const ifn_backend *t = ifn_trace_find(chain); t; t = ifn_trace_find(t->inner), w.pid++) {
        const trace_state *const s = trace_state_of(t);
        put_metadata(&w, "process_name", 0, t->inner->desc->name);
        put_spans(&w, s);
        for (int32_t i = 0; i < s->n_lanes; i++)
            put_lane(&w, i, &s->lanes[i]);
    }
    ifn_trace_out_text(&w.out, "\n]}\n");
    return ifn_trace_out_finish(&w.out);
}
