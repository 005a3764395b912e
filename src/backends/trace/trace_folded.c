/*
 * Folded stacks: "frame;frame;frame nanoseconds". The times of all calls of one stack are added over all
 * lanes, so two parts that run at once on two cores count twice: a flame graph of work, not of time.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "alloc_priv.h"
#include "trace_out.h"
#include "trace_record.h"

/* The time of one stack. */
typedef struct share {
    int32_t span; /* the first one with the same frames, or TRACE_NO_SPAN */
    int op;       /* IFN_OP_COUNT: in no op */
    const char *label;
    uint64_t ns;
} share;

typedef struct folding {
    const trace_state *state;
    int32_t *first;    /* of each span: the first one with the same frames */
    uint64_t *self_ns; /* of each span: its time outside of inner spans and of ops of lane 0 */
    share *shares;
    size_t n_shares, n_room;
} folding;

static int same_frames(const folding *f, int32_t a, int32_t b)
{
    const trace_span *const x = &f->state->spans[a], *const y = &f->state->spans[b];
    const int32_t p = x->parent, q = y->parent;
    if (strcmp(x->name, y->name) != 0 || (p == TRACE_NO_SPAN) != (q == TRACE_NO_SPAN))
        return 0;
    return p == TRACE_NO_SPAN || f->first[p] == f->first[q];
}

/* Compares each span only with the different ones so far (kinds), of which there are few. */
static void find_first(folding *f, int32_t *kinds)
{
    int32_t n_kinds = 0;
    for (int32_t i = 0; i < (int32_t)f->state->n_spans; i++) {
        int32_t k = 0;
        while (k < n_kinds && !same_frames(f, kinds[k], i))
            k++;
        if (k == n_kinds)
            kinds[n_kinds++] = i;
        f->first[i] = kinds[k];
    }
}

static void take(folding *f, int32_t span, uint64_t ns)
{
    if (span != TRACE_NO_SPAN)
        f->self_ns[span] -= ns < f->self_ns[span] ? ns : f->self_ns[span];
}

static void add_share(folding *f, int32_t span, int op, const char *label, uint64_t ns)
{
    f->shares[f->n_shares++] =
        (share){span == TRACE_NO_SPAN ? TRACE_NO_SPAN : f->first[span], op, label, ns};
}

static void add_calls(folding *f)
{
    const trace_state *const s = f->state;
    for (int32_t i = 0; i < s->n_lanes; i++) {
        for (size_t e = 0; e < s->lanes[i].n_events; e++) {
            const trace_event *const event = &s->lanes[i].events[e];
            const uint64_t ns = event->end_ns - event->start_ns;
            add_share(f, event->span, event->op, event->label, ns);
            if (i == 0)
                take(f, event->span, ns);
        }
    }
}

static void add_spans(folding *f)
{
    const trace_state *const s = f->state;
    for (size_t i = 0; i < s->n_spans; i++)
        f->self_ns[i] = s->spans[i].end_ns ? s->spans[i].end_ns - s->spans[i].start_ns : 0;
    for (size_t i = 0; i < s->n_spans; i++)
        if (s->spans[i].end_ns)
            take(f, s->spans[i].parent, s->spans[i].end_ns - s->spans[i].start_ns);
    add_calls(f);
    for (size_t i = 0; i < s->n_spans; i++)
        if (f->self_ns[i] > 0)
            add_share(f, (int32_t)i, IFN_OP_COUNT, "", f->self_ns[i]);
}

static int compare(const void *a, const void *b)
{
    const share *const x = a, *const y = b;
    if (x->span != y->span)
        return x->span < y->span ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return strcmp(x->label, y->label);
}

static void put_spans(trace_out *out, const trace_state *s, int32_t span)
{
    if (span == TRACE_NO_SPAN)
        return;
    const int32_t parent = s->spans[span].parent;
    put_spans(out, s, parent);
    ifn_trace_out_text(out, parent == TRACE_NO_SPAN ? "" : ";");
    ifn_trace_out_frame(out, s->spans[span].name);
}

static void put_share(trace_out *out, const trace_state *s, const share *what, uint64_t ns)
{
    put_spans(out, s, what->span);
    if (what->op != IFN_OP_COUNT) {
        ifn_trace_out_text(out, what->span == TRACE_NO_SPAN ? "" : ";");
        ifn_trace_out_text(out, ifn_op_name((ifn_op)what->op));
    }
    if (what->label[0]) {
        ifn_trace_out_text(out, ";");
        ifn_trace_out_frame(out, what->label);
    }
    ifn_trace_out_print(out, " %" PRIu64 "\n", ns);
}

static void put_shares(folding *f, trace_out *out)
{
    qsort(f->shares, f->n_shares, sizeof *f->shares, compare);
    for (size_t i = 0; i < f->n_shares;) {
        const share *const one = &f->shares[i];
        uint64_t ns = 0;
        for (; i < f->n_shares && compare(one, &f->shares[i]) == 0; i++)
            ns += f->shares[i].ns;
        put_share(out, f->state, one, ns);
    }
}

static size_t count_shares(const trace_state *s)
{
    size_t n = s->n_spans;
    for (int32_t i = 0; i < s->n_lanes; i++)
        n += s->lanes[i].n_events;
    return n;
}

ifn_status ifn_trace_write_folded(const ifn_backend *chain, ifn_trace_sink sink, void *cookie,
                                  ifn_error *err)
{
    trace_out out = {.sink = sink, .cookie = cookie};
    const ifn_backend *const trace = ifn_trace_find(chain);
    if (!trace)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': there is no trace in it",
                        chain->desc->name);
    folding f = {.state = trace_state_of(trace)};
    const ifn_allocator *const alloc = f.state->alloc;
    const size_t n_spans = f.state->n_spans + 1, n_room = count_shares(f.state) + 1;
    f.first = ifn_alloc_array(alloc, n_spans, sizeof *f.first);
    f.self_ns = ifn_alloc_array(alloc, n_spans, sizeof *f.self_ns);
    f.shares = ifn_alloc_array(alloc, n_room, sizeof *f.shares);
    int32_t *const kinds = ifn_alloc_array(alloc, n_spans, sizeof *kinds);
    ifn_status status = IFN_OK;
    if (!f.first || !f.self_ns || !f.shares || !kinds) {
        status = ifn_fail(err, IFN_ERR_NOMEM, "trace: out of memory for %zu stacks", n_room);
    } else {
        find_first(&f, kinds);
        add_spans(&f);
        put_shares(&f, &out);
        status = ifn_trace_out_finish(&out);
    }
    ifn_free_array(alloc, kinds, n_spans, sizeof *kinds);
    ifn_free_array(alloc, f.shares, n_room, sizeof *f.shares);
    ifn_free_array(alloc, f.self_ns, n_spans, sizeof *f.self_ns);
    ifn_free_array(alloc, f.first, n_spans, sizeof *f.first);
    return status;
}
