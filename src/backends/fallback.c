#include "fallback.h"

#include <string.h>

#include <inferno/spans.h>

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

/* Who refuses nothing is called by a jump, so that the registers are left to the function. */
#define SPLIT(NAME, name)                                                                          \
    static ifn_status split_##name(ifn_backend *self, const ifn_##name##_args *a)                  \
    {                                                                                              \
        if (a->n_spans == 0 || takes_spans(self, IFN_OP_##NAME))                                   \
            return ifn_backend_own_ops(self)->name(self, a);                                       \
        return ifn_##name##_by_spans(self, a, ifn_backend_own_ops(self)->name);                    \
    }
SPLIT(KV_STORE, kv_store)
SPLIT(ATTENTION, attention)

void ifn_split_spans(ifn_op_table *table)
{
    table->kv_store = split_kv_store;
    table->attention = split_attention;
}

static ifn_status each_kv_store(ifn_backend *self, const ifn_kv_store_args *a)
{
    if (a->n_spans == 0 || takes_spans(self, IFN_OP_KV_STORE))
        return fall_kv_store(self, a);
    return ifn_kv_store_by_spans(self, a, fall_kv_store);
}

static ifn_status each_attention(ifn_backend *self, const ifn_attention_args *a)
{
    if (a->n_spans == 0 || takes_spans(self, IFN_OP_ATTENTION))
        return fall_attention(self, a);
    return ifn_attention_by_spans(self, a, fall_attention);
}

/* fall_<op>, but of the two that take lists of spans what comes before it. */
#define fall_kv_store  each_kv_store
#define fall_attention each_attention
const ifn_op_table ifn_fallback_table = {
#define X(NAME, name, cut, cut2, doc) .name = fall_##name,
    IFN_OPS(X)
#undef X
};
