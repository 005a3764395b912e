#include "op_growth.h"

#include <stdio.h>
#include <string.h>

#include <inferno/signature_values.h>

ifn_known ifn_known_of(const ifn_backend_desc *desc, ifn_op op)
{
    const size_t slot = sizeof(void (*)(void));
    if ((size_t)op >= desc->table_bytes / slot)
        return (ifn_known){0, 0};
    return (ifn_known){desc->args_bytes[op], desc->call_bytes};
}

static size_t first_set(const ifn_call *args, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (((const unsigned char *)args)[i])
            return i;
    return 0;
}

size_t ifn_call_unknown(const ifn_call *args, ifn_known known)
{
    const size_t in_call = first_set(args, known.call, sizeof *args);
    return in_call ? in_call : first_set(args, known.args, args->bytes);
}

static size_t arg_bytes(const ifn_op_arg *arg)
{
    switch (arg->kind) {
    case IFN_ARG_EXTENT:
    case IFN_ARG_EVEN:
    case IFN_ARG_INT64:
    case IFN_ARG_STRIDE:
        return arg->count * sizeof(int64_t);
    case IFN_ARG_BYTES:
        return sizeof(size_t);
    case IFN_ARG_INT32:
    case IFN_ARG_REAL:
    case IFN_ARG_DTYPE:
        return sizeof(int32_t);
    default:
        return arg->count * sizeof(void *);
    }
}

static const ifn_op_arg *arg_around(ifn_op op, size_t at)
{
    const ifn_op_signature all = ifn_op_signature_of(op);
    const ifn_op_arg *arg = all.args;
    for (size_t i = 0; i < all.n; i++, arg++)
        if (arg->offset <= at && at < arg->offset + arg_bytes(arg))
            return arg;
    return NULL;
}

void ifn_call_name_unknown(ifn_op op, size_t at, char *out, size_t bytes)
{
    const ifn_op_arg *const arg = arg_around(op, at);
    if (arg)
        snprintf(out, bytes, "'%s'", arg->name);
    else
        snprintf(out, bytes, "byte %zu", at);
}

/* An op whose arguments have grown has a case here: the offset of the first argument that was added. */
size_t ifn_op_least_bytes(ifn_op op)
{
    switch (op) {
    case IFN_OP_KV_STORE:
        return offsetof(ifn_kv_store_args, spans);
    case IFN_OP_ATTENTION:
        return offsetof(ifn_attention_args, spans);
    default:
        return ifn_op_args_bytes(op);
    }
}

bool ifn_call_has_size(ifn_op op, const ifn_call *args)
{
    return args->bytes >= ifn_op_least_bytes(op) && args->bytes <= IFN_ARGS_MAX_BYTES;
}

void ifn_call_fit(const ifn_call *args, ifn_known known, ifn_args *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out, args, args->bytes < known.args ? args->bytes : known.args);
    out->call.bytes = known.args;
}

#define PAGES_AT(name, a)                                                                          \
    ((a)->call.bytes < sizeof *(a) ? 0                                                             \
     : (a)->pages                  ? offsetof(ifn_##name##_args, pages)                            \
     : (a)->n_pages                ? offsetof(ifn_##name##_args, n_pages)                          \
     : (a)->page_rows              ? offsetof(ifn_##name##_args, page_rows)                        \
                                   : 0)

size_t ifn_call_pages_at(ifn_op op, const ifn_call *args)
{
    const ifn_args *const a = (const ifn_args *)args;
    return op == IFN_OP_KV_STORE    ? PAGES_AT(kv_store, &a->kv_store)
           : op == IFN_OP_ATTENTION ? PAGES_AT(attention, &a->attention)
                                    : 0;
}

ifn_known ifn_known_here(ifn_op op)
{
    return (ifn_known){(uint32_t)ifn_op_args_bytes(op), IFN_CALL_BYTES};
}

const ifn_call *ifn_call_whole(ifn_op op, const ifn_call *args, ifn_args *room)
{
    const ifn_known known = ifn_known_here(op);
    if (args->bytes >= known.args)
        return args;
    ifn_call_fit(args, known, room);
    return &room->call;
}
