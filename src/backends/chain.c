/*
 * Chains. A node is one allocation: the backend, its table and its texts. A wrapper's table begins
 * with pass-throughs to its inner backend, a leaf's table with its base's functions; fill overwrites slots.
 */
#include "chain.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "alloc_priv.h"
#include "descriptor.h"
#include "device.h"
#include "entry.h"
#include "node.h"
#include "op_table.h"
#include "plugin.h"
#include "reason.h"
#include "sized.h"
#include "staging.h"

ifn_status ifn_env_from_options(const ifn_backend_options *options, ifn_backend_env *out,
                                bool *keeps_refusals, ifn_error *err)
{
    ifn_backend_options own = IFN_BACKEND_OPTIONS_INIT;
    const ifn_backend_options *const o = &own;
    if (options)
        IFN_TRY(ifn_sized_read(&own, sizeof own, options, "ifn_backend_options", err));
    if (o->n_threads < 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "n_threads %d, expected 0 or more",
                        (int)o->n_threads);
    if (o->n_contexts < 0)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "n_contexts %d, expected 0 or more",
                        (int)o->n_contexts);
    *out = (ifn_backend_env){
        .env_bytes = (uint32_t)sizeof *out,
        .cpu = ifn_cpu_detect() & (o->cpu_mask ? o->cpu_mask : UINT64_MAX),
        .n_threads = o->n_threads,
        .n_lanes = o->n_contexts ? o->n_contexts : 1,
        .alloc = ifn_allocator_or_default(o->alloc),
        .options = "",
    };
    *keeps_refusals = o->keeps_refusals;
    return IFN_OK;
}

int ifn_desc_is_usable(const ifn_backend_desc *desc, const ifn_backend_env *env)
{
    return !desc->usable || desc->usable(env);
}

static ifn_backend_env env_of_stage(const ifn_stage *stage, const ifn_backend_env *env)
{
    ifn_backend_env own = *env;
    own.n_lanes = stage->n_lanes;
    own.options = stage->options;
    if (stage->n_parts)
        own.n_threads = stage->n_parts;
    return own;
}

static bool is_same(const ifn_backend_desc *a, const ifn_backend_desc *b)
{
    return a->fill == b->fill && strcmp(a->name, b->name) == 0;
}

/* Checks that `desc` may stand on `below`, the descriptor of the next stage, NULL at the end. */
static ifn_status check_pair(const ifn_backend_desc *desc, const ifn_backend_desc *below,
                             ifn_error *err)
{
    if (ifn_desc_is_wrapper(desc) && !below)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': wraps another backend, expected %s:NAME", desc->name,
                        desc->name);
    if (below && is_same(desc, below))
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': stands on itself, expected it once",
                        desc->name);
    if (!ifn_desc_is_wrapper(desc) && below && ifn_desc_is_wrapper(below))
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': cannot stand on '%s', which is a wrapper", desc->name,
                        below->name);
    if (!ifn_desc_is_wrapper(desc) && below && ifn_desc_is_device(below))
        return ifn_fail(
            err, IFN_ERR_ARGUMENT,
            "backend '%s': cannot stand on '%s', a device: what it inherits reads memory "
            "of the host",
            desc->name, below->name);
    return IFN_OK;
}

/* Refuses a wrapper that cuts calls into parts if the same one stands anywhere below: a call is cut once. */
static ifn_status check_cuts(const ifn_stage *stages, size_t n, const ifn_backend *below,
                             ifn_error *err)
{
    const ifn_backend_desc *const desc = &stages[0].desc;
    bool again = false;
    if (!ifn_desc_is_wrapper(desc) || !desc->lanes)
        return IFN_OK;
    for (size_t i = 1; i < n; i++)
        again = again || is_same(desc, &stages[i].desc);
    for (; below; below = below->inner)
        again = again || is_same(desc, below->desc);
    if (again)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': is in the stack twice, expected calls to be cut once",
                        desc->name);
    return IFN_OK;
}

static ifn_status check_stack(const ifn_stage *stages, size_t n, const ifn_backend *below,
                              ifn_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const ifn_backend_desc *const last = below ? below->desc : NULL;
        IFN_TRY(check_cuts(stages + i, n - i, below, err));
        IFN_TRY(check_pair(&stages[i].desc, i + 1 < n ? &stages[i + 1].desc : last, err));
    }
    return IFN_OK;
}

/* How many lanes the stages below need if this wrapper cuts each call into parts. */
static ifn_status multiply_lanes(ifn_stage *stage, const ifn_backend_env *env, int32_t *n_lanes,
                                 ifn_error *err)
{
    const ifn_backend_desc *const d = &stage->desc;
    const bool is_asked = ifn_desc_is_wrapper(d) && d->lanes;
    const int32_t parts = is_asked ? d->lanes(env) : 1;
    if (parts < 1 || parts > INT32_MAX / stage->n_lanes)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': %d lanes for each of %d calls",
                        d->name, (int)parts, (int)stage->n_lanes);
    *n_lanes = stage->n_lanes * parts;
    stage->n_parts = is_asked ? parts : 0;
    return IFN_OK;
}

/* Numbers the lanes from the outside in, and asks every stage whether it can run here. */
static ifn_status check_stages(ifn_stage *stages, size_t n, const ifn_backend *below,
                               const ifn_backend_env *env, ifn_error *err)
{
    int32_t n_lanes = env->n_lanes;
    for (size_t i = 0; i < n; i++) {
        stages[i].n_lanes = n_lanes;
        const ifn_backend_env own = env_of_stage(&stages[i], env);
        if (!ifn_desc_is_usable(&stages[i].desc, &own))
            return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': cannot run on this machine",
                            stages[i].desc.name);
        IFN_TRY(multiply_lanes(&stages[i], &own, &n_lanes, err));
    }
    if (below && n_lanes > node_of(below)->env.n_lanes)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "backend '%s': needs %d lanes, '%s' was opened for %d",
                        stages[n - 1].desc.name, (int)n_lanes, ifn_backend_expression(below),
                        (int)node_of(below)->env.n_lanes);
    return IFN_OK;
}

/* "name", "name=options", "name:below", "name=options:below". Returns the length. */
static size_t write_expression(char *out, size_t bytes, const ifn_stage *stage,
                               const char *below_expression)
{
    const int length =
        snprintf(out, bytes, "%s%s%s%s%s", stage->path ? stage->path : stage->desc.name,
                 *stage->options ? "=" : "", stage->options, below_expression ? ":" : "",
                 below_expression ? below_expression : "");
    return length < 0 ? 0 : (size_t)length;
}

static node *node_new(const ifn_stage *stage, const ifn_backend_env *env, const char *below_text)
{
    const size_t expression_bytes = write_expression(NULL, 0, stage, below_text) + 1;
    const size_t options_bytes = strlen(stage->options) + 1;
    const size_t bytes = sizeof(node) + expression_bytes + options_bytes;
    node *const self = env->alloc->alloc(env->alloc->cookie, bytes, _Alignof(node));
    if (!self)
        return NULL;
    *self = (node){.desc = stage->desc,
                   .env = env_of_stage(stage, env),
                   .keeps_refusals = stage->keeps_refusals,
                   .bytes = bytes};
    self->expression = self->texts;
    write_expression(self->expression, expression_bytes, stage, below_text);
    memcpy(self->texts + expression_bytes, stage->options, options_bytes);
    self->env.options = self->texts + expression_bytes;
    return self;
}

/* Closes the library last: the node's callbacks and names lie in it. */
static void node_free(node *self)
{
    void *const library = self->library;
    assert(self->env.alloc);
    ifn_staging_close(self->staging);
    self->env.alloc->free(self->env.alloc->cookie, self, self->bytes);
    ifn_plugin_close(library);
}

/* True if the node, or the base whose functions it inherits, may refuse calls that a base then runs. */
static bool falls_back(const node *self, const ifn_backend *below)
{
    return below && !self->backend.inner && !self->keeps_refusals &&
           (ifn_desc_is_device(&self->desc) || ifn_manifest_of(&self->desc).unsupported ||
            node_of(below)->falls_back);
}

/* How much of each argument struct the functions know: an inherited function knows what the base was built with. */
static void fill_known(node *self, const ifn_backend *below)
{
    for (int op = 0; op < IFN_OP_COUNT; op++)
        self->known[op] = ifn_backend_implements(&self->backend, op) || !below
                              ? ifn_known_of(&self->desc, op)
                              : node_of(below)->known[op];
}

static ifn_status fill_table(node *self, const ifn_backend *below, ifn_error *err)
{
    if (self->backend.inner)
        self->table = ifn_pass_through;
    else if (below)
        self->table = *below->own_ops;
    self->desc.fill(&self->table, &self->env);
    self->backend.own_ops = &self->table;
    self->backend.ops = &self->entry;
    const ifn_op empty = ifn_op_table_first_empty(&self->table);
    if (empty != IFN_OP_COUNT)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': fill left %s empty", self->desc.name,
                        ifn_op_name(empty));
    self->falls_back = falls_back(self, below);
    fill_known(self, below);
    ifn_fill_entry(self);
    return IFN_OK;
}

static ifn_status make_device(node *self, ifn_error *err)
{
    IFN_TRY(ifn_device_check(&self->backend, err));
    self->staging = ifn_staging_open(self->env.n_lanes, self->env.alloc);
    return self->staging
               ? IFN_OK
               : ifn_fail(err, IFN_ERR_NOMEM, "backend '%s': out of memory", self->desc.name);
}

static const ifn_allocator *choose_buffers(const node *self)
{
    if (self->desc.buffers)
        return self->desc.buffers(&self->backend);
    return self->backend.inner ? self->backend.inner->buffers : self->env.alloc;
}

static ifn_status open_state(node *self, ifn_error *err)
{
    ifn_error own = {.status = IFN_OK, .text = ""};
    const ifn_status status = self->desc.open(&self->backend.state, &self->env, &own);
    return ifn_with_reason(status, &own, self->desc.name, "open", err);
}

/* Opens the state last, so that earlier failures leave no state to close. */
static ifn_status complete(node *self, ifn_backend *below, ifn_error *err)
{
    self->backend.desc = &self->desc;
    if (ifn_desc_is_wrapper(&self->desc))
        self->backend.inner = below;
    else
        self->backend.base = below;
    IFN_TRY(fill_table(self, below, err));
    if (ifn_desc_is_device(&self->desc))
        IFN_TRY(make_device(self, err));
    if (self->desc.open)
        IFN_TRY(open_state(self, err));
    self->backend.buffers = choose_buffers(self);
    return IFN_OK;
}

static void close_state(const node *self)
{
    if (self->desc.open && self->desc.close)
        self->desc.close(self->backend.state);
}

static ifn_status node_open(ifn_stage *stage, ifn_backend *below, bool below_is_shown,
                            const ifn_backend_env *env, node **out, ifn_error *err)
{
    const char *const below_text = below_is_shown ? ifn_backend_expression(below) : NULL;
    node *const self = node_new(stage, env, below_text);
    if (!self)
        return ifn_fail(err, IFN_ERR_NOMEM, "backend '%s': out of memory", stage->desc.name);
    ifn_status status = complete(self, below, err);
    if (status == IFN_OK && !self->backend.buffers) {
        status = ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': has no allocator for buffers",
                          self->desc.name);
        close_state(self);
    }
    if (status != IFN_OK) {
        node_free(self);
        return status;
    }
    self->library = stage->library;
    stage->library = NULL;
    *out = self;
    return IFN_OK;
}

ifn_status ifn_chain_open(ifn_stage *stages, size_t n, ifn_backend *below,
                          const ifn_backend_env *env, ifn_backend **out, ifn_error *err)
{
    *out = NULL;
    IFN_TRY(check_stack(stages, n, below, err));
    IFN_TRY(check_stages(stages, n, below, env, err));
    ifn_backend *open = below;
    bool shown = below != NULL;
    for (size_t i = n; i-- > 0;) {
        node *next = NULL;
        const ifn_status status = node_open(&stages[i], open, shown, env, &next, err);
        if (status != IFN_OK) {
            if (open != below)
                ifn_backend_close(open);
            return status;
        }
        next->owns_below = open != below;
        open = &next->backend;
        shown = !stages[i].implied;
    }
    *out = open;
    return IFN_OK;
}

void ifn_backend_close(ifn_backend *self)
{
    while (self) {
        node *const outer = (node *)self;
        self = outer->owns_below ? ifn_backend_below(self) : NULL;
        close_state(outer);
        node_free(outer);
    }
}

size_t ifn_backend_scratch_bytes(const ifn_backend *self, const ifn_limits *max)
{
    return ifn_scratch_bytes_of(self, max);
}

static int64_t common_multiple(int64_t a, int64_t b)
{
    int64_t x = a, y = b;
    while (y) {
        const int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x > INT64_MAX / b ? INT64_MAX : a / x * b;
}

static int64_t whole_extent(ifn_op op, const ifn_call *args, int axis)
{
    const int64_t extent = ifn_op_extent(op, args, axis);
    return extent > 1 ? extent : 1;
}

/* If the runner falls back, the base may run a part that the runner refuses: the cut must be legal for both. */
int64_t ifn_backend_granule(ifn_backend *self, ifn_op op, int axis, const ifn_call *args)
{
    const ifn_backend *const device = ifn_device_of(self);
    if (device && ifn_device_keeps_whole(device, op, axis))
        return whole_extent(op, args, axis);
    const ifn_backend *const runner = ifn_backend_runner(self, op, args);
    if (!runner)
        return 1;
    const int64_t granule =
        runner->desc->granule ? runner->desc->granule(runner, op, axis, args) : 1;
    const int64_t own = granule > 1 ? granule : 1;
    if (!node_of(runner)->falls_back && runner != device)
        return own;
    return common_multiple(own, ifn_backend_granule(runner->base, op, axis, args));
}

int ifn_backend_explain(ifn_backend *self, ifn_error *err)
{
    for (; self; self = ifn_backend_below(self))
        if (ifn_explain_refusal((node *)self, err) ||
            (self->desc->explain && self->desc->explain(self, err)))
            return 1;
    return 0;
}
