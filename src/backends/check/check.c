/*
 * check: checks the arguments before each call, and scans the results after it (check_state.c).
 */
#include <string.h>

#include "check_state.h"

static ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    ifn_backend *const device = ifn_backend_is_device(self->inner) ? self->inner : NULL;
    IFN_TRY(ifn_check_state_before(self->state, device, op, args));
    IFN_TRY(ifn_op_run(self->inner, op, args));
    return ifn_check_state_after(self->state, self->inner->desc->name, device, op, args);
}

IFN_FILL_THROUGH

static ifn_status open_state(void **state, const ifn_backend_env *env, ifn_error *err)
{
    check_state *opened;
    const int stops = strcmp(env->options, "stop") == 0;
    if (*env->options && !stops)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend 'check': option '%s', expected stop",
                        env->options);
    IFN_TRY(ifn_check_state_open(env->n_lanes, stops, env->alloc, &opened, err));
    *state = opened;
    return IFN_OK;
}

static void close_state(void *state)
{
    ifn_check_state_close(state);
}

static int explain(ifn_backend *self, ifn_error *err)
{
    return ifn_check_state_explain(self->state, err);
}

const ifn_backend_desc ifn_backend_check = {
    IFN_BACKEND_STAMP,
    .flags = IFN_BACKEND_WRAPPER,
    .name = "check",
    .summary = "refuses illegal arguments, remembers the first NaN or infinity",
    .fill = fill,
    .open = open_state,
    .close = close_state,
    .explain = explain,
};

int ifn_check_finding(const ifn_backend *chain, ifn_error *out)
{
    uint64_t first_ns = UINT64_MAX, when_ns;
    ifn_error finding;
    for (; chain; chain = chain->inner) {
        if (chain->desc->open == open_state &&
            ifn_check_state_finding(chain->state, &finding, &when_ns) && when_ns < first_ns) {
            first_ns = when_ns;
            *out = finding;
        }
    }
    return first_ns != UINT64_MAX;
}
