#include "entry.h"

#include <stdatomic.h>
#include <string.h>

#include <inferno/signature.h>
#include <inferno/spans.h>

#include "op_table.h"
#include "staging.h"

static ifn_status run_own(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return self->own_ops->name(self, (const ifn_##name##_args *)args);
        IFN_OPS(X)
#undef X
    default:
        return IFN_ERR_ARGUMENT;
    }
}

static void forget_handles(ifn_op op, ifn_args *args)
{
    const ifn_op_signature all = ifn_op_signature_of(op);
    for (size_t i = 0; i < all.n; i++)
        if (all.args[i].kind == IFN_ARG_PACKED)
            memset(args->room + all.args[i].offset, 0, all.args[i].count * sizeof(void *));
}

/* The base of the backend that implements the op. For a device it is the device's own base: a device inherits no
 * functions, as they could not read its buffers. */
static ifn_backend *base_of(ifn_backend *self, ifn_op op)
{
    return node_of(self)->staging ? self->base : ifn_backend_implementer(self, op)->base;
}

static ifn_status run_on_base(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    ifn_staging *const staging = node_of(self)->staging;
    ifn_backend *const base = base_of(self, op);
    ifn_args raw;
    memcpy(&raw, args, args->bytes);
    forget_handles(op, &raw);
    return staging ? ifn_staging_run(staging, self, base, op, &raw.call)
                   : ifn_op_run(base, op, &raw.call);
}

static bool is_always_staged(const ifn_backend *self, ifn_op op)
{
    return node_of(self)->staging && !ifn_backend_implements(self, op);
}

/* The inner backend may have more lanes than the wrapper, one for each part of a call: this uses the first of them. */
static ifn_status run_inside(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    const int32_t parts = node_of(self->inner)->env.n_lanes / node_of(self)->env.n_lanes;
    ifn_args whole;
    memcpy(&whole, args, args->bytes);
    whole.call.lane *= parts;
    whole.call.n_lanes *= parts;
    return ifn_op_run(self->inner, op, &whole.call);
}

/* Flag in node.refused: the low 32 bits are the offset of an argument that no backend knows; without it they are the
 * size of an argument struct that no version has. */
#define UNKNOWN (UINT64_C(1) << 63)

static void note_refusal(ifn_backend *self, ifn_op op, uint64_t what)
{
    atomic_store(&((node *)self)->refused, (uint64_t)(op + 1) << 32 | what);
}

static ifn_status go_around(ifn_backend *self, ifn_op op, const ifn_call *args, size_t unknown)
{
    if (self->inner)
        return run_inside(self, op, args);
    if (base_of(self, op) && !node_of(self)->keeps_refusals)
        return run_on_base(self, op, args);
    note_refusal(self, op, UNKNOWN | (uint32_t)unknown);
    return IFN_ERR_UNSUPPORTED;
}

static ifn_status run(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    const ifn_status status = run_own(self, op, args);
    if (status != IFN_ERR_UNSUPPORTED || !node_of(self)->falls_back)
        return status;
    return base_of(self, op) ? run_on_base(self, op, args) : status;
}

/* Runs a call whose struct has another length than the backend knows, or that sets more, or that it may refuse. */
static ifn_status enter_other(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    const ifn_known known = node_of(self)->known[op];
    if (is_always_staged(self, op))
        return run_on_base(self, op, args);
    if (!ifn_call_has_size(op, args)) {
        note_refusal(self, op, args->bytes);
        return IFN_ERR_SHAPE;
    }
    const size_t unknown = ifn_call_unknown(args, known);
    if (unknown)
        return go_around(self, op, args, unknown);
    if (args->bytes == known.args)
        return run(self, op, args);
    ifn_args fitted;
    ifn_call_fit(args, known, &fitted);
    return run(self, op, &fitted.call);
}

/* Compilers turn a plain call into a jump (tail call), which leaves the registers to the function. ThreadSanitizer is
 * off here, as it would add code that runs after the call returns. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    __attribute__((no_sanitize("thread"))) static ifn_status enter_##name(                         \
        ifn_backend *self, const ifn_##name##_args *a)                                             \
    {                                                                                              \
        const node *const n = node_of(self);                                                       \
        if (n->falls_back || n->staging || !ifn_call_is_plain(&a->call, n->known[IFN_OP_##NAME]))  \
            return enter_other(self, IFN_OP_##NAME, &a->call);                                     \
        return n->table.name(self, a);                                                             \
    }
IFN_OPS(X)
#undef X

/* False if a list of spans must become calls of one span each: the function does not take lists, or the call may have
 * to be staged, which handles one span at a time. */
static bool takes_spans(ifn_backend *self, ifn_op op)
{
    const ifn_manifest m = ifn_manifest_of(ifn_backend_implementer(self, op)->desc);
    return m.spans && !is_always_staged(self, op) && !(node_of(self)->staging && m.unsupported);
}

/* Struct sizes from before `pages` was added have lists of spans, too. */
#define HAS_SPANS(name, a)                                                                         \
    ((a)->call.bytes >= offsetof(ifn_##name##_args, pages) && (a)->n_spans != 0)

/* The base runs a call in pages if the function does not take pages. */
#define SPANS_SLOT(NAME, name)                                                                     \
    static ifn_status each_##name(ifn_backend *self, const ifn_##name##_args *a)                   \
    {                                                                                              \
        const size_t pages = ifn_node_pages_unknown(ifn_backend_implementer(self, IFN_OP_##NAME),  \
                                                    IFN_OP_##NAME, &a->call);                      \
        if (pages)                                                                                 \
            return go_around(self, IFN_OP_##NAME, &a->call, pages);                                \
        if (HAS_SPANS(name, a) && !takes_spans(self, IFN_OP_##NAME))                               \
            return ifn_##name##_by_spans(self, a, enter_##name);                                   \
        return enter_##name(self, a);                                                              \
    }
SPANS_SLOT(KV_STORE, kv_store)
SPANS_SLOT(ATTENTION, attention)

/* An op that a wrapper only passes on needs no check here: the inner backend has its own entry table. */
void ifn_fill_entry(node *self)
{
    const ifn_op_table all = {
#define X(NAME, name, cut, cut2, doc) .name = enter_##name,
        IFN_OPS(X)
#undef X
    };
    self->entry = all;
    if (!self->backend.inner) {
        self->entry.kv_store = each_kv_store;
        self->entry.attention = each_attention;
        return;
    }
#define X(NAME, name, cut, cut2, doc)                                                              \
    if (!ifn_backend_implements(&self->backend, IFN_OP_##NAME))                                    \
        self->entry.name = ifn_pass_through.name;
    IFN_OPS(X)
#undef X
}

static void explain_unknown(const node *self, ifn_op op, size_t at, ifn_error *err)
{
    char what[64];
    ifn_call_name_unknown(op, at, what, sizeof what);
    ifn_fail(err, IFN_ERR_UNSUPPORTED,
             "%s on backend '%s': %s is set, which it was built without, and no base runs the call",
             ifn_op_name(op), self->desc.name, what);
}

int ifn_explain_refusal(node *self, ifn_error *err)
{
    const uint64_t refused = atomic_exchange(&self->refused, 0);
    const ifn_op op = (ifn_op)((refused & ~UNKNOWN) >> 32) - 1;
    if (!refused)
        return 0;
    if (refused & UNKNOWN)
        explain_unknown(self, op, (uint32_t)refused, err);
    else
        (void)ifn_op_check(op, &(ifn_call){.bytes = (uint32_t)refused}, err);
    return 1;
}
