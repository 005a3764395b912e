#include "base_watch.h"

#include <stdatomic.h>

/* The watched base and its own op table. Static, because a watched op is given nothing but the base. */
static ifn_backend *base;
static const ifn_op_table *ops;
static atomic_uint_least64_t n_elements;

static ifn_status count(ifn_op op, const ifn_call *args, ifn_status status)
{
    ifn_op_cost cost;
    if (status == IFN_OK && op != IFN_OP_QUANTIZE_ROWS &&
        ifn_op_count_cost(op, args, &cost, NULL) == IFN_OK)
        atomic_fetch_add(&n_elements, cost.elements);
    return status;
}

#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status watched_##name(ifn_backend *self, const ifn_##name##_args *a)                \
    {                                                                                              \
        return count(IFN_OP_##NAME, &a->call, ops->name(self, a));                                 \
    }
IFN_OPS(X)
#undef X

void base_watch_begin(ifn_backend *leaf)
{
    static const ifn_op_table watched = {
#define X(NAME, name, cut, cut2, doc) .name = watched_##name,
        IFN_OPS(X)
#undef X
    };
    base = leaf->base;
    atomic_store(&n_elements, 0);
    if (!base)
        return;
    ops = base->ops;
    base->ops = &watched;
}

uint64_t base_watch_end(void)
{
    if (base)
        base->ops = ops;
    base = NULL;
    return atomic_load(&n_elements);
}
