/* Queries of an open backend about itself, and about those below it. */
#include "node.h"

#include <string.h>

#include "op_table.h"

/* Hands the call on unchanged. */
static inline ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    return ifn_op_run(self->inner, op, args);
}
IFN_OPS(IFN_SLOT_THROUGH)

const ifn_op_table ifn_pass_through = {
#define X(NAME, name, cut, cut2, doc) .name = through_##name,
    IFN_OPS(X)
#undef X
};

const char *ifn_backend_expression(const ifn_backend *self)
{
    return node_of(self)->expression;
}

int ifn_backend_implements(const ifn_backend *self, ifn_op op)
{
    if ((size_t)op >= IFN_OP_COUNT)
        return 0;
    if (self->inner)
        return !ifn_op_same_slot(self->own_ops, &ifn_pass_through, op);
    return !self->base || !ifn_op_same_slot(self->own_ops, self->base->own_ops, op);
}

ifn_backend *ifn_backend_implementer(ifn_backend *self, ifn_op op)
{
    while (self->inner)
        self = self->inner;
    while (self->base && !ifn_backend_implements(self, op))
        self = self->base;
    return self;
}

size_t ifn_node_pages_unknown(const ifn_backend *leaf, ifn_op op, const ifn_call *args)
{
    const size_t pages = ifn_call_pages_at(op, args);
    return pages && !ifn_manifest_of(leaf->desc).pages ? pages : 0;
}

/* The offset of an argument that the call sets and the leaf does not know; 0: none. Lists of spans do not count: the
 * leaf gets one call per span (entry.c). */
static size_t unknown_to(const ifn_backend *leaf, ifn_op op, const ifn_call *args)
{
    ifn_args alone;
    if (!ifn_call_has_size(op, args))
        return 0;
    const size_t pages = ifn_node_pages_unknown(leaf, op, args);
    if (pages)
        return pages;
    memcpy(&alone, args, args->bytes);
    if (op == IFN_OP_KV_STORE)
        alone.kv_store.spans = NULL, alone.kv_store.n_spans = 0;
    if (op == IFN_OP_ATTENTION)
        alone.attention.spans = NULL, alone.attention.n_spans = 0;
    return ifn_call_unknown(&alone.call, node_of(leaf)->known[op]);
}

ifn_backend *ifn_backend_runner(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    while (self) {
        ifn_backend *const leaf = ifn_backend_implementer(self, op);
        if ((size_t)op >= IFN_OP_COUNT || !args || unknown_to(leaf, op, args) == 0)
            return leaf;
        self = node_of(leaf)->keeps_refusals ? NULL : leaf->base;
    }
    return NULL;
}

int32_t ifn_backend_n_lanes(const ifn_backend *self)
{
    return node_of(self)->env.n_lanes;
}
