#include "tap.h"

#include <stdlib.h>

#include "tap_outputs.h"

typedef struct tap_state {
    tap_hooks hooks;
    tap_pass pass;
    int64_t n_calls;
} tap_state;

static void begin(tap_state *self, ifn_op op, const ifn_call *args, tap_call *call)
{
    *call = (tap_call){.op = op, .args = args, .number = self->n_calls++};
    conform_tap_outputs(&self->pass, call);
    if (self->hooks.before)
        self->hooks.before(self->hooks.cookie, call);
}

static bool is_mute(const tap_state *self)
{
    return self->hooks.is_mute && *self->hooks.is_mute;
}

static ifn_status end(const tap_state *self, const tap_call *call, ifn_status status)
{
    return self->hooks.after ? self->hooks.after(self->hooks.cookie, call, status) : status;
}

/* tap_matmul, tap_add, ... */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status tap_##name(ifn_backend *self, const ifn_##name##_args *a)                    \
    {                                                                                              \
        tap_call call;                                                                             \
        begin(self->state, IFN_OP_##NAME, &a->call, &call);                                        \
        return end(self->state, &call,                                                             \
                   is_mute(self->state) ? IFN_OK : ifn_##name(self->inner, a));                    \
    }
IFN_OPS(X)
#undef X

static const ifn_op_table ops = {
#define X(NAME, name, cut, cut2, doc) .name = tap_##name,
    IFN_OPS(X)
#undef X
};

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    *table = ops;
}

static ifn_status open_state(void **state, const ifn_backend_env *env, ifn_error *err)
{
    (void)env;
    *state = calloc(1, sizeof(tap_state));
    return *state ? IFN_OK : ifn_fail(err, IFN_ERR_NOMEM, "backend 'tap': out of memory");
}

static void close_state(void *state)
{
    free(state);
}

static const ifn_backend_desc desc = {
    IFN_BACKEND_STAMP,    .flags = IFN_BACKEND_WRAPPER,
    .name = "tap",        .summary = "shows every call to whoever asked, before and after",
    .fill = fill,         .open = open_state,
    .close = close_state,
};

ifn_status conform_tap_open(ifn_backend *inner, const ifn_model *model, const tap_hooks *hooks,
                            ifn_backend **out, ifn_error *err)
{
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .n_contexts = ifn_backend_n_lanes(inner));
    IFN_TRY(ifn_backend_open_desc(&desc, inner, NULL, &options, out, err));
    tap_state *const state = (*out)->state;
    state->hooks = *hooks;
    conform_tap_pass_open(&state->pass, model);
    return IFN_OK;
}

void conform_tap_seek(ifn_backend *tap, int64_t position)
{
    tap_state *const state = tap->state;
    state->pass.next_pos = position;
}
