/* Names, descriptions, cuts and sizes of the ops, from IFN_OPS. */
#include <inferno/ops.h>

#include <stdio.h>
#include <string.h>

typedef struct op_info {
    const char *name, *doc;
    ifn_cut cuts[2];
    size_t args_bytes;
} op_info;

static const op_info infos[] = {
#define X(NAME, name, cut, cut2, doc)                                                              \
    {#name, doc, {IFN_CUT_##cut, IFN_CUT_##cut2}, sizeof(ifn_##name##_args)},
    IFN_OPS(X)
#undef X
};

/* A wrapper copies call.bytes bytes into an ifn_args and expects the ifn_call at offset 0. */
#define X(NAME, name, cut, cut2, doc)                                                              \
    _Static_assert(sizeof(ifn_##name##_args) <= IFN_ARGS_MAX_BYTES, #name " fits ifn_args");       \
    _Static_assert(offsetof(ifn_##name##_args, call) == 0, #name " opens with ifn_call");
IFN_OPS(X)
#undef X

static const op_info *info(ifn_op op)
{
    return (size_t)op < IFN_OP_COUNT ? &infos[op] : NULL;
}

const char *ifn_op_name(ifn_op op)
{
    const op_info *i = info(op);
    return i ? i->name : "?";
}

const char *ifn_op_doc(ifn_op op)
{
    const op_info *i = info(op);
    return i ? i->doc : "?";
}

ifn_cut ifn_op_cut(ifn_op op, int axis)
{
    const op_info *i = info(op);
    return i && (axis == 0 || axis == 1) ? i->cuts[axis] : IFN_CUT_NONE;
}

size_t ifn_op_args_bytes(ifn_op op)
{
    const op_info *i = info(op);
    return i ? i->args_bytes : 0;
}

int ifn_op_from_name(const char *name, ifn_op *out)
{
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        if (strcmp(name, infos[i].name) == 0) {
            *out = (ifn_op)i;
            return 1;
        }
    }
    return 0;
}

const char *ifn_point_name(int point)
{
    static const char *const names[] = {
#define X(NAME, name) name,
        IFN_POINTS(X)
#undef X
    };
    return names[point > 0 && point < IFN_POINT_COUNT ? point : IFN_POINT_NONE];
}

void ifn_call_place(const ifn_call *args, char *out, size_t bytes)
{
    if (args->point == IFN_POINT_NONE)
        snprintf(out, bytes, "%s", "");
    else if (args->layer < 0)
        snprintf(out, bytes, "%s", ifn_point_name(args->point));
    else
        snprintf(out, bytes, "blk.%d.%s", (int)args->layer, ifn_point_name(args->point));
}
