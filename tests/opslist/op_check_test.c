/* The rules that all ops share: the size of the struct, and parts. */
#include <inferno/signature_values.h>

#include <stdio.h>
#include <string.h>

#include "legal_calls.h"
#include "op_growth.h"
#include "test.h"

TEST(every_legal_call_passes)
{
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_args args = legal_call((ifn_op)i);
        assert_true(args.call.bytes == ifn_op_args_bytes((ifn_op)i));
        assert_accepted(ifn_op_name((ifn_op)i), &args.call);
    }
}

TEST(a_struct_may_be_longer_but_not_shorter_than_known)
{
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        ifn_args args = legal_call(op);
        const size_t known = args.call.bytes;
        memset(args.room + known, 0, sizeof args.room - known);
        args.call.bytes += 8;
        assert_accepted(ifn_op_name(op), &args.call);
        args.room[known + 1] = 1;
        assert_int_equal(ifn_op_check(op, &args.call, NULL), IFN_ERR_UNSUPPORTED);
        args.room[known + 1] = 0;
        args.call.bytes = IFN_ARGS_MAX_BYTES;
        assert_accepted(ifn_op_name(op), &args.call);
        args.call.bytes = IFN_ARGS_MAX_BYTES + 8;
        assert_int_equal(ifn_op_check(op, &args.call, NULL), IFN_ERR_SHAPE);
        args.call.bytes = (uint32_t)ifn_op_least_bytes(op) - 1;
        assert_int_equal(ifn_op_check(op, &args.call, NULL), IFN_ERR_SHAPE);
    }
    char message[80];
    snprintf(message, sizeof message, "call.bytes 0, expected %zu to 512",
             ifn_op_least_bytes(IFN_OP_COPY_IN));
    REFUSE(copy_in, a.call.bytes = 0, message);
    const size_t at = offsetof(ifn_call, reserved);
    snprintf(message, sizeof message, "byte %zu is set, this library knows %zu of %zu", at, at,
             sizeof(ifn_copy_in_args));
    REFUSE_AS(copy_in, memset(a.call.reserved, 1, 1), IFN_ERR_UNSUPPORTED, message);
}

static bool is_refused(ifn_op op, const ifn_op_arg *a, int i, const void *value, size_t bytes)
{
    ifn_args args = legal_call(op);
    memcpy(args.room + a->offset + (size_t)i * bytes, value, bytes);
    return ifn_op_check(op, &args.call, NULL) != IFN_OK;
}

/* For any op: each pointer is required, also each element of an array of which the call has two; no size may be
 * negative. */
TEST(every_argument_of_every_op_is_looked_at)
{
    const void *const nothing = NULL;
    const int64_t negative = -1;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_op_signature s = ifn_op_signature_of((ifn_op)op);
        for (size_t i = 0; i < s.n; i++) {
            const ifn_op_arg *const a = &s.args[i];
            const bool is_size = a->kind == IFN_ARG_EXTENT || a->kind == IFN_ARG_EVEN;
            const bool is_needed =
                (ifn_arg_is_tensor(a) && !a->is_optional) || a->kind == IFN_ARG_WEIGHT;
            assert_that(!is_size || is_refused((ifn_op)op, a, 0, &negative, sizeof negative),
                        "%s: %s may be -1", ifn_op_name((ifn_op)op), a->name);
            for (int k = 0; is_needed && k < a->count && k < 2; k++)
                assert_that(is_refused((ifn_op)op, a, k, &nothing, sizeof nothing),
                            "%s: %s %d may be NULL", ifn_op_name((ifn_op)op), a->name, k);
        }
    }
}

TEST(parts_inside_the_op_are_legal)
{
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        for (int axis = 0; axis < 2; axis++) {
            ifn_args args = legal_call(op);
            const int64_t extent = ifn_op_extent(op, &args.call, axis);
            for (int64_t begin = 0; begin <= extent; begin++) {
                for (int64_t end = begin; end <= extent; end++) {
                    ifn_op_set_part(op, &args.call, axis, begin, end);
                    assert_accepted(ifn_op_name(op), &args.call);
                }
            }
        }
    }
}

TEST(parts_outside_the_op_are_refused)
{
    int n_cuts = 0;
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        for (int axis = 0; axis < 2; axis++) {
            ifn_args args = legal_call(op);
            const int64_t extent = ifn_op_extent(op, &args.call, axis);
            const int64_t bad[][2] = {
                {0, extent + 1}, {extent + 1, extent + 1}, {-1, 1}, {2, 1}, {INT64_MIN, INT64_MAX}};
            if (ifn_op_cut(op, axis) == IFN_CUT_NONE)
                continue;
            n_cuts++;
            for (size_t j = 0; j < N_OF(bad); j++) {
                ifn_op_set_part(op, &args.call, axis, bad[j][0], bad[j][1]);
                assert_int_equal(ifn_op_check(op, &args.call, NULL), IFN_ERR_SHAPE);
            }
        }
    }
    assert_true(n_cuts >= 30);
    REFUSE(matmul, a.part_end = 3, "part [0, 3), expected a range inside [0, 2)");
    REFUSE(matmul, (a.part2_begin = 4, a.part2_end = 6),
           "part2 [4, 6), expected a range inside [0, 5)");
}

TEST(only_partials_may_be_cut_by_key_blocks)
{
    REFUSE(attention, a.part2_end = 1, "part2 [0, 1), expected a range inside [0, 0)");
    ACCEPT(attention, (a.phase = IFN_ATTENTION_PARTIALS, a.partials = mem[1], a.part2_end = 1));
}

TEST(no_op_and_no_arguments_are_errors)
{
    ifn_error err;
    char expected[40];
    const ifn_args args = legal_call(IFN_OP_ADD);
    snprintf(expected, sizeof expected, "op %d: there are %d", IFN_OP_COUNT, IFN_OP_COUNT);
    assert_int_equal(ifn_op_check(IFN_OP_COUNT, &args.call, &err), IFN_ERR_ARGUMENT);
    assert_non_null(strstr(err.text, expected));
    assert_int_equal(ifn_op_check((ifn_op)-1, &args.call, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(ifn_op_check(IFN_OP_ADD, NULL, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "add: arguments are NULL");
}
