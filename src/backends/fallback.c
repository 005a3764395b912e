#include "fallback.h"

#include <string.h>

#include "node.h"

/* Any args but those of the ops that take handles have none. */
static void forget_handles(ifn_op op, void *args)
{
    if (op == IFN_OP_GATHER_ROWS)
        ((ifn_gather_rows_args *)args)->packed = NULL;
    if (op == IFN_OP_LINEAR)
        memset(((ifn_linear_args *)args)->packed, 0, sizeof((ifn_linear_args *)args)->packed);
    if (op == IFN_OP_LINEAR_Q8)
        memset(((ifn_linear_q8_args *)args)->packed, 0, sizeof((ifn_linear_q8_args *)args)->packed);
}

#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status fall_##name(ifn_backend *self, const ifn_##name##_args *a)                   \
    {                                                                                              \
        const ifn_status status = ifn_backend_own_ops(self)->name(self, a);                        \
        if (status != IFN_ERR_UNSUPPORTED)                                                         \
            return status;                                                                         \
        ifn_backend *const base = ifn_backend_implementer(self, IFN_OP_##NAME)->base;              \
        if (!base)                                                                                 \
            return status;                                                                         \
        ifn_##name##_args raw = *a;                                                                \
        forget_handles(IFN_OP_##NAME, &raw);                                                       \
        return ifn_##name(base, &raw);                                                             \
    }
IFN_OPS(X)
#undef X

const ifn_op_table ifn_fallback_table = {
#define X(NAME, name, cut, cut2, doc) .name = fall_##name,
    IFN_OPS(X)
#undef X
};
