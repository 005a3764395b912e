/* The functions of inferno/trace.h that work on all `trace` wrappers of a chain. */
#include "sized.h"
#include "trace_record.h"

const ifn_backend *ifn_trace_find(const ifn_backend *chain)
{
    while (chain && chain->desc->open != ifn_backend_trace.open)
        chain = chain->inner;
    return chain;
}

/* Tells every `trace` which one is the outermost. Returns how many there are. */
static int number(const ifn_backend *chain)
{
    int n = 0;
    const ifn_backend *const first = ifn_trace_find(chain);
    for (const ifn_backend *t = first; t; t = ifn_trace_find(t->inner)) {
        trace_state_of(t)->outermost = trace_state_of(first);
        trace_state_of(t)->n_outside = n++;
    }
    return n;
}

int ifn_trace_listen(ifn_backend *chain, ifn_trace_listener listener, void *cookie)
{
    for (const ifn_backend *t = ifn_trace_find(chain); t; t = ifn_trace_find(t->inner)) {
        trace_state_of(t)->listener = listener;
        trace_state_of(t)->cookie = cookie;
    }
    return number(chain);
}

void ifn_trace_begin(ifn_backend *chain, const char *name)
{
    const ifn_backend *const first = ifn_trace_find(chain);
    if (!first)
        return;
    number(chain);
    ifn_trace_state_begin(trace_state_of(first), name);
}

void ifn_trace_end(ifn_backend *chain)
{
    const ifn_backend *const first = ifn_trace_find(chain);
    if (!first)
        return;
    trace_state *const state = trace_state_of(first);
    const trace_span *const span = ifn_trace_state_end(state);
    if (span && state->listener)
        state->listener(state->cookie, &(ifn_trace_call){.inner = first->inner,
                                                         .op = IFN_OP_COUNT,
                                                         .name = span->name,
                                                         .depth = 1 + state->depth,
                                                         .status = IFN_OK,
                                                         .start_ns = span->start_ns,
                                                         .end_ns = span->end_ns});
}

static int give(const ifn_backend *trace, const ifn_trace_total *own, ifn_trace_total *out)
{
    if (trace)
        ifn_sized_write(out, own, sizeof *own);
    return trace != NULL;
}

int ifn_trace_totals(const ifn_backend *chain, ifn_op op, ifn_trace_total *out)
{
    ifn_trace_total own;
    const ifn_backend *const first = ifn_trace_find(chain);
    if (first)
        ifn_trace_state_totals(trace_state_of(first), op, &own);
    return give(first, &own, out);
}

int ifn_trace_span_totals(const ifn_backend *chain, const char *name, ifn_trace_total *out)
{
    ifn_trace_total own;
    const ifn_backend *const first = ifn_trace_find(chain);
    if (first)
        ifn_trace_state_span_totals(trace_state_of(first), name, &own);
    return give(first, &own, out);
}

uint64_t ifn_trace_dropped(const ifn_backend *chain)
{
    uint64_t n = 0;
    for (const ifn_backend *t = ifn_trace_find(chain); t; t = ifn_trace_find(t->inner)) {
        const trace_state *const s = trace_state_of(t);
        n += s->n_spans_dropped;
        for (int32_t i = 0; i < s->n_lanes; i++)
            n += s->lanes[i].n_dropped;
    }
    return n;
}
