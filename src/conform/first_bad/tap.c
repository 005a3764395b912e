#include "tap.h"

#include <stdlib.h>

#include "mirror.h"
#include "tap_outputs.h"

typedef struct tap_state {
    tap_hooks hooks;
    tap_pass pass;
    int64_t n_calls;
    bool is_device;
    mirror mirror; /* devices only */
    ifn_args shown;
} tap_state;

static void begin(tap_state *self, ifn_op op, const ifn_call *args, tap_call *call)
{
    if (self->is_device) {
        conform_mirror_before(&self->mirror, op, args, self->hooks.before != NULL, &self->shown);
        args = &self->shown.call;
    }
    *call = (tap_call){.op = op, .args = args, .number = self->n_calls++};
    conform_tap_outputs(&self->pass, call);
    if (self->hooks.before)
        self->hooks.before(self->hooks.cookie, call);
}

static bool is_mute(const tap_state *self)
{
    return self->hooks.is_mute && *self->hooks.is_mute;
}

static ifn_status after(const tap_state *self, const tap_call *call, ifn_status status)
{
    return self->hooks.after ? self->hooks.after(self->hooks.cookie, call, status) : status;
}

static ifn_status end(tap_state *self, const tap_call *call, ifn_status status)
{
    if (!self->is_device)
        return after(self, call, status);
    conform_mirror_after(&self->mirror, call->op, &self->shown);
    status = after(self, call, status);
    if (status == IFN_OK && !self->hooks.writes_nothing)
        conform_mirror_give_back(&self->mirror, call->op, &self->shown);
    return status == IFN_OK ? self->mirror.status : status;
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
    tap_state *const self = state;
    if (self->is_device)
        conform_mirror_close(&self->mirror);
    free(self);
}

/* The chain inside is open when this is called. */
static const ifn_allocator *buffers(const ifn_backend *self)
{
    tap_state *const state = self->state;
    state->is_device = ifn_backend_is_device(self->inner);
    if (!state->is_device)
        return self->inner->buffers;
    conform_mirror_open(&state->mirror, self->inner);
    return &state->mirror.buffers;
}

static const ifn_backend_desc desc = {
    IFN_BACKEND_STAMP,    .flags = IFN_BACKEND_WRAPPER,
    .name = "tap",        .summary = "shows every call to whoever asked, before and after",
    .fill = fill,         .open = open_state,
    .close = close_state, .buffers = buffers,
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
