/*
 * trace: hands every call on unchanged, and records when it began and ended (trace_record.c).
 */
#include <inferno/clock.h>
#include <inferno/trace.h>

#include "trace_record.h"

/* Nothing but the call runs between the two clock readings. */
static inline ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    const uint64_t staged = ifn_backend_staged_bytes(self->inner, args->lane);
    const uint64_t start = ifn_clock_ns();
    ifn_status status = ifn_op_run(self->inner, op, args);
    if (status == IFN_OK) /* a device may not have run it yet: wait, to record the whole call */
        status = ifn_backend_synchronize(self->inner, args->lane);
    const uint64_t end = ifn_clock_ns();
    ifn_trace_state_add(
        self->state,
        &(ifn_trace_call){.inner = self->inner,
                          .op = op,
                          .args = args,
                          .name = ifn_op_name(op),
                          .status = status,
                          .start_ns = start,
                          .end_ns = end,
                          .staged_bytes =
                              ifn_backend_staged_bytes(self->inner, args->lane) - staged});
    return status;
}

IFN_FILL_THROUGH

enum { DEFAULT_EVENTS = 65536 };

/* A decimal number up to the maximum; -1 for anything else. */
static int64_t read_count(const char *text)
{
    int64_t n = 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        n = n * 10 + (*text - '0');
        if (n > TRACE_MAX_EVENTS)
            return -1;
    }
    return n;
}

static ifn_status read_room(const char *options, size_t *room, ifn_error *err)
{
    const int64_t n = *options ? read_count(options) : DEFAULT_EVENTS;
    if (n < 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend 'trace': option '%s', expected how many calls each lane keeps, "
                        "0 .. %d",
                        options, TRACE_MAX_EVENTS);
    *room = (size_t)n;
    return IFN_OK;
}

static void close_state(void *state)
{
    ifn_trace_state_close(state);
}

static ifn_status open_state(void **state, const ifn_backend_env *env, ifn_error *err)
{
    size_t room = 0;
    trace_state *opened = NULL;
    IFN_TRY(read_room(env->options, &room, err));
    const ifn_status status = ifn_trace_state_open(env->n_lanes, room, env->alloc, &opened, err);
    if (status != IFN_OK) {
        ifn_trace_state_close(opened);
        return status;
    }
    *state = opened;
    return IFN_OK;
}

const ifn_backend_desc ifn_backend_trace = {
    IFN_BACKEND_STAMP,
    .flags = IFN_BACKEND_WRAPPER,
    .name = "trace",
    .summary = "records every call of the backend inside: how often, how long, how much",
    .fill = fill,
    .open = open_state,
    .close = close_state,
};
