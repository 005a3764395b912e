#include "trace_record.h"

#include <string.h>

#include <inferno/clock.h>

#include "alloc_priv.h"
#include "op_cost.h"

ifn_status ifn_trace_state_open(int32_t n_lanes, size_t room, const ifn_allocator *alloc,
                                trace_state **out, ifn_error *err)
{
    const size_t n = (size_t)n_lanes;
    trace_state *const self = ifn_alloc_zeroed(alloc, 1, sizeof *self);
    *out = self;
    if (!self)
        return ifn_fail(err, IFN_ERR_NOMEM, "trace: out of memory");
    self->alloc = alloc;
    self->outermost = self;
    self->open_span = TRACE_NO_SPAN;
    self->lanes = ifn_alloc_zeroed(alloc, n, sizeof *self->lanes);
    if (!self->lanes)
        return ifn_fail(err, IFN_ERR_NOMEM, "trace: out of memory for %d lanes", (int)n_lanes);
    self->n_lanes = n_lanes;
    self->room = room;
    if (room == 0)
        return IFN_OK;
    self->spans = ifn_alloc_array(alloc, room, sizeof *self->spans);
    int complete = self->spans != NULL;
    for (size_t i = 0; i < n && complete; i++) {
        self->lanes[i].events = ifn_alloc_array(alloc, room, sizeof(trace_event));
        complete = self->lanes[i].events != NULL;
    }
    if (!complete)
        return ifn_fail(err, IFN_ERR_NOMEM,
                        "trace: out of memory for %zu calls on each of %d lanes", room,
                        (int)n_lanes);
    return IFN_OK;
}

void ifn_trace_state_close(trace_state *self)
{
    if (!self)
        return;
    for (int32_t i = 0; i < self->n_lanes; i++)
        ifn_free_array(self->alloc, self->lanes[i].events, self->room, sizeof(trace_event));
    ifn_free_array(self->alloc, self->lanes, (size_t)self->n_lanes, sizeof *self->lanes);
    ifn_free_array(self->alloc, self->spans, self->room, sizeof *self->spans);
    ifn_free_array(self->alloc, self, 1, sizeof *self);
}

static void count(trace_count *self, uint64_t ns, ifn_status status, ifn_op_cost cost)
{
    if (self->calls == 0 || ns < self->min_ns)
        self->min_ns = ns;
    if (ns > self->max_ns)
        self->max_ns = ns;
    self->calls++;
    self->failed += status != IFN_OK;
    self->total_ns += ns;
    self->bytes += cost.bytes;
    self->flops += cost.flops;
    ifn_trace_histogram_add(&self->times, ns);
}

/* Writes "blk.0.attn_q", from the name of the first tensor among the operands; truncated. */
static void write_label(char label[TRACE_LABEL_BYTES], const ifn_operands *operands)
{
    static const char suffix[] = ".weight";
    size_t n = 0;
    const ifn_tensor *tensor = NULL;
    for (size_t i = 0; i < operands->n && !tensor; i++)
        tensor = operands->items[i].tensor;
    if (tensor)
        for (; n < TRACE_LABEL_BYTES - 1 && tensor->name[n]; n++) {
            if (tensor->name[n] == '.' && strcmp(tensor->name + n, suffix) == 0)
                break;
            label[n] = tensor->name[n];
        }
    label[n] = '\0';
}

static void keep(trace_lane *lane, size_t room, const ifn_trace_call *call, int32_t span,
                 ifn_op_cost cost, const ifn_operands *operands)
{
    if (lane->n_events == room) {
        lane->n_dropped++;
        return;
    }
    trace_event *const event = &lane->events[lane->n_events++];
    event->start_ns = call->start_ns;
    event->end_ns = call->end_ns;
    event->bytes = cost.bytes;
    event->flops = cost.flops;
    event->span = span;
    event->op = (uint16_t)call->op;
    event->status = (uint16_t)call->status;
    write_label(event->label, operands);
}

void ifn_trace_state_add(trace_state *self, const ifn_trace_call *call)
{
    const int32_t number = call->args->lane;
    if (number >= 0 && number < self->n_lanes) {
        trace_lane *const lane = &self->lanes[number];
        ifn_op_cost cost = {0};
        ifn_operands operands; /* large, so not initialised as a whole */
        operands.n = 0;
        if (call->status == IFN_OK) { /* else the arguments may be invalid */
            ifn_op_operands(call->op, call->args, &operands);
            cost = ifn_op_cost_of(call->op, call->args, &operands);
        }
        count(&lane->counts[call->op], call->end_ns - call->start_ns, call->status, cost);
        lane->counts[call->op].staged_bytes += call->staged_bytes;
        keep(lane, self->room, call, self->outermost->open_span, cost, &operands);
    }
    if (self->listener) {
        ifn_trace_call told = *call;
        told.depth = 1 + self->outermost->depth + self->n_outside;
        self->listener(self->cookie, &told);
    }
}

void ifn_trace_state_begin(trace_state *self, const char *name)
{
    self->depth++;
    if (self->n_spans == self->room) {
        self->n_spans_dropped++;
        return;
    }
    self->spans[self->n_spans] = (trace_span){name, self->open_span, ifn_clock_ns(), 0};
    self->open_span = (int32_t)self->n_spans++;
}

/* Once a span is dropped, every later one is, too: so among the open spans the kept ones are the outer ones. */
const trace_span *ifn_trace_state_end(trace_state *self)
{
    int32_t n_kept = 0;
    if (self->depth == 0)
        return NULL;
    for (int32_t i = self->open_span; i != TRACE_NO_SPAN; i = self->spans[i].parent)
        n_kept++;
    if (self->depth-- > n_kept)
        return NULL;
    trace_span *const span = &self->spans[self->open_span];
    span->end_ns = ifn_clock_ns();
    self->open_span = span->parent;
    return span;
}

static void add_count(ifn_trace_total *out, trace_histogram *times, const trace_count *c)
{
    if (c->calls == 0)
        return;
    if (out->calls == 0 || c->min_ns < out->min_ns)
        out->min_ns = c->min_ns;
    if (c->max_ns > out->max_ns)
        out->max_ns = c->max_ns;
    out->calls += c->calls;
    out->failed += c->failed;
    out->total_ns += c->total_ns;
    out->moved_bytes += c->bytes;
    out->flops += c->flops;
    out->staged_bytes += c->staged_bytes;
    ifn_trace_histogram_merge(times, &c->times);
}

/* Clamps to min and max, as a bucket's middle may lie outside of them. */
static uint64_t percentile(const ifn_trace_total *total, const trace_histogram *times, double share)
{
    const uint64_t value = ifn_trace_histogram_percentile(times, share);
    return value < total->min_ns ? total->min_ns : value > total->max_ns ? total->max_ns : value;
}

static void read_percentiles(ifn_trace_total *out, const trace_histogram *times)
{
    out->p50_ns = percentile(out, times, 0.50);
    out->p99_ns = percentile(out, times, 0.99);
}

void ifn_trace_state_totals(const trace_state *self, ifn_op op, ifn_trace_total *out)
{
    trace_histogram times = {0};
    *out = IFN_SIZED(ifn_trace_total);
    for (int32_t i = 0; i < self->n_lanes; i++)
        for (int o = 0; o < IFN_OP_COUNT; o++)
            if (op == IFN_OP_COUNT || (int)op == o)
                add_count(out, &times, &self->lanes[i].counts[o]);
    read_percentiles(out, &times);
}

void ifn_trace_state_span_totals(const trace_state *self, const char *name, ifn_trace_total *out)
{
    trace_count found = {0};
    *out = IFN_SIZED(ifn_trace_total);
    for (size_t i = 0; i < self->n_spans; i++) {
        const trace_span *const s = &self->spans[i];
        if (s->end_ns > 0 && strcmp(s->name, name) == 0)
            count(&found, s->end_ns - s->start_ns, IFN_OK, (ifn_op_cost){0});
    }
    trace_histogram times = {0};
    add_count(out, &times, &found);
    read_percentiles(out, &times);
}
