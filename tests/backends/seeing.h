/* A leaf that computes nothing and remembers what reached it; and a call of any op by number. */
#ifndef IFN_SEEING_H
#define IFN_SEEING_H

#include <inferno/backend.h>

/* What the last call was, and what every op answers. */
static const ifn_call *seen_args;
static ifn_op seen_op;
static ifn_status seeing_status;

/* see_matmul, see_add, ... */
#define X(NAME, name, cut, cut2, doc)                                                              \
    static ifn_status see_##name(ifn_backend *self, const ifn_##name##_args *a)                    \
    {                                                                                              \
        (void)self;                                                                                \
        seen_args = &a->call;                                                                      \
        seen_op = IFN_OP_##NAME;                                                                   \
        return seeing_status;                                                                      \
    }
IFN_OPS(X)
#undef X

static void fill_seeing(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
#define X(NAME, name, cut, cut2, doc) table->name = see_##name;
    IFN_OPS(X)
#undef X
}

static const ifn_backend_desc seeing = {IFN_BACKEND_STAMP, .name = "seeing", .summary = "remembers",
                                        .fill = fill_seeing};

static inline ifn_status call_op(ifn_backend *chain, ifn_op op, const ifn_args *args)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return ifn_##name(chain, &args->name);
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return IFN_ERR_ARGUMENT;
}

#endif
