#include "fallback.h"

#include <string.h>

#include "node.h"

/* Any args but those of the ops that take handles have none. */
void ifn_forget_handles(ifn_op op, void *args)
{
    if (op == IFN_OP_GATHER_ROWS)
        ((ifn_gather_rows_args *)args)->packed = NULL;
    if (op == IFN_OP_LINEAR)
        memset(((ifn_linear_args *)args)->packed, 0, sizeof((ifn_linear_args *)args)->packed);
    if (op == IFN_OP_LINEAR_Q8)
        memset(((ifn_linear_q8_args *)args)->packed, 0, sizeof((ifn_linear_q8_args *)args)->packed);
}

/* fall_matmul, ...: the backend's own op, or its base's. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status fall_##name(ifn_backend *self, const ifn_##name##_args *a)                   \
    {                                                                                              \
        const ifn_status status = ifn_backend_own_ops(self)->name(self, a);                        \
        if (status != IFN_ERR_UNSUPPORTED || !node_of(self)->falls_back)                           \
            return status;                                                                         \
        ifn_backend *const base = ifn_backend_implementer(self, IFN_OP_##NAME)->base;              \
        if (!base)                                                                                 \
            return status;                                                                         \
        ifn_##name##_args raw = *a;                                                                \
        ifn_forget_handles(IFN_OP_##NAME, &raw);                                                   \
        return ifn_##name(base, &raw);                                                             \
    }
IFN_OPS(X)
#undef X

static bool takes_spans(ifn_backend *self, ifn_op op)
{
    return ifn_manifest_of(ifn_backend_implementer(self, op)->desc).spans;
}

/* Who refuses nothing is called without a detour, so that the registers are left to the function. */
IFN_SPANS_SLOT(split_kv_store, kv_store, takes_spans(self, IFN_OP_KV_STORE),
               ifn_backend_own_ops(self)->kv_store)
IFN_SPANS_SLOT(split_attention, attention, takes_spans(self, IFN_OP_ATTENTION),
               ifn_backend_own_ops(self)->attention)

void ifn_split_spans(ifn_op_table *table)
{
    table->kv_store = split_kv_store;
    table->attention = split_attention;
}

IFN_SPANS_SLOT(each_kv_store, kv_store, takes_spans(self, IFN_OP_KV_STORE), fall_kv_store)
IFN_SPANS_SLOT(each_attention, attention, takes_spans(self, IFN_OP_ATTENTION), fall_attention)

/* fall_<op>, but of the two that take lists of spans what comes before it. */
#define fall_kv_store  each_kv_store
#define fall_attention each_attention
const ifn_op_table ifn_fallback_table = {
#define X(NAME, name, cut, cut2, doc) .name = fall_##name,
    IFN_OPS(X)
#undef X
};
