#include "call_view.h"

#include "call_view_ops.h"

int conform_call_views(ifn_op op, const ifn_call *args)
{
    const ifn_args *const a = (const ifn_args *)(const void *)args;
    if (op == IFN_OP_LINEAR)
        return (int)a->linear.n_w;
    return op == IFN_OP_LINEAR_Q8 ? (int)a->linear_q8.n_w : 1;
}

const char *conform_call_view_row(ifn_op op, const ifn_call *args, int i, int64_t row,
                                  call_view *out)
{
    *out = (call_view){.c = {.op = op, .tier = TIER_GOLDEN, .family = FAMILY_WRITTEN, .index = 1}};
    return conform_view_of((const ifn_args *)(const void *)args, i, row, out);
}

const char *conform_call_view(ifn_op op, const ifn_call *args, int i, call_view *out)
{
    return conform_call_view_row(op, args, i, -1, out);
}

int conform_call_visit(ifn_op op, const ifn_call *args, call_visit *visit, void *cookie)
{
    call_view v;
    int answer = 0;
    for (int i = 0; i < conform_call_views(op, args) && answer == 0; i++) {
        const int n = conform_call_view(op, args, i, &v) ? 0 : v.l.n;
        for (int t = 0; t < n && answer == 0; t++)
            answer = visit(cookie, &v, t);
    }
    return answer;
}
