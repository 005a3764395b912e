/* What an open backend says of itself, and of those below it. */
#include "node.h"

#include "op_table.h"

/* Hands the call on as it came. */
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

const ifn_op_table *ifn_backend_own_ops(const ifn_backend *self)
{
    return &node_of(self)->table;
}

const char *ifn_backend_expression(const ifn_backend *self)
{
    return node_of(self)->expression;
}

int ifn_backend_implements(const ifn_backend *self, ifn_op op)
{
    if ((size_t)op >= IFN_OP_COUNT)
        return 0;
    if (self->inner)
        return !ifn_op_same_slot(self->ops, &ifn_pass_through, op);
    const ifn_op_table *const own = ifn_backend_own_ops(self);
    return !self->base || !ifn_op_same_slot(own, ifn_backend_own_ops(self->base), op);
}

ifn_backend *ifn_backend_implementer(ifn_backend *self, ifn_op op)
{
    while (self->inner)
        self = self->inner;
    while (self->base && !ifn_backend_implements(self, op))
        self = self->base;
    return self;
}

int32_t ifn_backend_n_lanes(const ifn_backend *self)
{
    return node_of(self)->env.n_lanes;
}
