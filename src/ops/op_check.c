/* ifn_op_check: checks the size of the struct, what the signature and the op itself require, and the parts. */
#include <inferno/ops.h>

#include "op_check_unseen.h"
#include "op_check_util.h"
#include "op_growth.h"
#include "op_split.h"

/* Checks call.bytes. A wrapper could not copy a struct longer than IFN_ARGS_MAX_BYTES. */
static void check_bytes(op_checker *c, ifn_op op, const ifn_call *args)
{
    if (!ifn_call_has_size(op, args))
        ifn_checker_fail(c, IFN_ERR_SHAPE, "call.bytes %u, expected %zu to %d",
                         (unsigned)args->bytes, ifn_op_least_bytes(op), IFN_ARGS_MAX_BYTES);
}

/* Refuses a call that sets arguments of a later version: their meaning is unknown here, and must not be ignored. */
static void check_unknown(op_checker *c, const ifn_call *args, ifn_known known)
{
    const size_t at = ifn_call_unknown(args, known);
    if (at)
        ifn_checker_fail(c, IFN_ERR_UNSUPPORTED, "byte %zu is set, this library knows %u of %u", at,
                         at < sizeof *args ? known.call : known.args, (unsigned)args->bytes);
}

static void check_tensors(op_checker *c, ifn_op op, const ifn_call *args)
{
    const ifn_args *const a = (const ifn_args *)args;
    switch (op) {
    case IFN_OP_LINEAR:
        ifn_check_linear(c, &a->linear);
        break;
    case IFN_OP_LINEAR_Q8:
        ifn_check_linear_q8(c, &a->linear_q8);
        break;
    case IFN_OP_RESHAPE_DATA:
        ifn_check_reshape_data(c, &a->reshape_data);
        break;
    case IFN_OP_GATHER_ROWS:
        ifn_check_gather_rows(c, &a->gather_rows);
        break;
    case IFN_OP_KV_STORE:
        ifn_check_kv_store(c, &a->kv_store);
        break;
    case IFN_OP_ATTENTION:
        ifn_check_attention(c, &a->attention);
        break;
    default:
        ifn_expect_tensors(c, op, args);
    }
}

static void check_parts(op_checker *c, ifn_op op, const ifn_call *args)
{
    for (int axis = 0; axis < 2; axis++)
        ifn_expect_part(c, axis == 0 ? "part" : "part2", ifn_op_get_part(op, args, axis),
                        ifn_op_extent(op, args, axis));
}

static void check_arguments(op_checker *c, ifn_op op, const ifn_call *args)
{
    ifn_expect_numbers(c, op, args);
    if (ifn_checker_ok(c))
        check_tensors(c, op, args);
    if (ifn_checker_ok(c))
        check_parts(c, op, args);
}

/* Checks the call with zeros in place of the arguments that an older caller's struct does not have. */
static void check_whole(op_checker *c, ifn_op op, const ifn_call *args)
{
    ifn_args room;
    check_unknown(c, args, ifn_known_here(op));
    if (ifn_checker_ok(c))
        check_arguments(c, op, ifn_call_whole(op, args, &room));
}

static ifn_status check(ifn_op op, const ifn_call *args, bool is_blind, ifn_error *err)
{
    op_checker c = {.op = ifn_op_name(op), .err = err, .is_blind = is_blind};
    if ((size_t)op >= IFN_OP_COUNT)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "op %d: there are %d", (int)op, (int)IFN_OP_COUNT);
    if (!args)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "%s: arguments are NULL", c.op);
    check_bytes(&c, op, args);
    if (ifn_checker_ok(&c))
        check_whole(&c, op, args);
    return c.status;
}

ifn_status ifn_op_check(ifn_op op, const ifn_call *args, ifn_error *err)
{
    return check(op, args, false, err);
}

ifn_status ifn_op_check_unseen(ifn_op op, const ifn_call *args, ifn_error *err)
{
    return check(op, args, true, err);
}
