#include "op_growth.h"

#include <stdio.h>
#include <string.h>

#include <inferno/signature.h>

#include "legal_calls.h"
#include "test.h"

static const ifn_op_arg *last_argument(ifn_op op)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    const ifn_op_arg *last = &s.args[0];
    for (size_t i = 0; i < s.n; i++)
        if (s.args[i].offset > last->offset)
            last = &s.args[i];
    return last;
}

TEST(legal_calls_are_plain)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_args args = legal_call((ifn_op)op);
        assert_true(ifn_call_is_plain(&args.call, ifn_known_here((ifn_op)op)));
        assert_int_equal(ifn_call_unknown(&args.call, ifn_known_here((ifn_op)op)), 0);
    }
}

/* Any byte of the last argument counts, if the backend was built before the argument was added. */
TEST(what_is_set_beyond_the_known_is_found_and_named)
{
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        const ifn_op_arg *const last = last_argument(op);
        const ifn_known less = {last->offset, IFN_CALL_BYTES};
        ifn_args args = legal_call(op);
        memset(args.room + last->offset, 0, args.call.bytes - last->offset);
        assert_int_equal(ifn_call_unknown(&args.call, less), 0);
        assert_false(ifn_call_is_plain(&args.call, less));
        args.room[last->offset + 3] = 1;
        const size_t at = ifn_call_unknown(&args.call, less);
        char name[64], expected[64];
        assert_int_equal(at, last->offset + 3u);
        ifn_call_name_unknown(op, at, name, sizeof name);
        snprintf(expected, sizeof expected, "'%s'", last->name);
        assert_string_equal(name, expected);
    }
}

TEST(what_nobody_has_a_name_for_is_a_byte)
{
    const ifn_op op = IFN_OP_ADD;
    const size_t end = ifn_op_args_bytes(op);
    char name[64];
    ifn_args args = legal_call(op);
    args.call.bytes += 8;
    memset(args.room + end, 0, 8);
    assert_int_equal(ifn_call_unknown(&args.call, ifn_known_here(op)), 0);
    args.room[end + 7] = 0x80;
    assert_int_equal(ifn_call_unknown(&args.call, ifn_known_here(op)), end + 7);
    ifn_call_name_unknown(op, end + 7, name, sizeof name);
    assert_int_equal(strncmp(name, "byte ", 5), 0);
}

TEST(reserved_words_of_a_call_are_looked_at)
{
    ifn_args args = legal_call(IFN_OP_ADD);
    for (size_t i = 0; i < N_OF(args.call.reserved); i++) {
        memset(args.call.reserved, 0, sizeof args.call.reserved);
        args.call.reserved[i] = UINT64_C(1) << 63;
        assert_false(ifn_call_is_plain(&args.call, ifn_known_here(IFN_OP_ADD)));
        assert_in_range(ifn_call_unknown(&args.call, ifn_known_here(IFN_OP_ADD)),
                        offsetof(ifn_call, reserved) + 8 * i,
                        offsetof(ifn_call, reserved) + 8 * i + 7);
    }
}

/* The caller is older than the last argument. */
TEST(what_a_caller_does_not_have_is_zero)
{
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        const ifn_op_arg *const last = last_argument(op);
        ifn_args args = legal_call(op), wide;
        memset(args.room + last->offset, 0xff, sizeof args.room - last->offset);
        memset(&wide, 0xee, sizeof wide);
        args.call.bytes = last->offset;
        ifn_call_fit(&args.call, ifn_known_here(op), &wide);
        assert_int_equal(wide.call.bytes, ifn_op_args_bytes(op));
        assert_memory_equal(wide.room + sizeof args.call.bytes, args.room + sizeof args.call.bytes,
                            last->offset - sizeof args.call.bytes);
        for (size_t at = last->offset; at < sizeof wide; at++)
            assert_int_equal(wide.room[at], 0);
    }
}

TEST(what_a_backend_does_not_know_is_left_out)
{
    ifn_args args = legal_call(IFN_OP_ADD), fitted;
    args.call.bytes = IFN_ARGS_MAX_BYTES;
    ifn_call_fit(&args.call, ifn_known_here(IFN_OP_ADD), &fitted);
    assert_int_equal(fitted.call.bytes, sizeof(ifn_add_args));
}

TEST(a_call_has_its_size_or_was_not_filled_in)
{
    ifn_args args = legal_call(IFN_OP_ADD);
    assert_true(ifn_call_has_size(IFN_OP_ADD, &args.call));
    args.call.bytes = IFN_ARGS_MAX_BYTES;
    assert_true(ifn_call_has_size(IFN_OP_ADD, &args.call));
    args.call.bytes++;
    assert_false(ifn_call_has_size(IFN_OP_ADD, &args.call));
    args.call.bytes = (uint32_t)ifn_op_least_bytes(IFN_OP_ADD) - 1;
    assert_false(ifn_call_has_size(IFN_OP_ADD, &args.call));
    args.call.bytes = 0;
    assert_false(ifn_call_has_size(IFN_OP_ADD, &args.call));
}

TEST(arguments_of_a_descriptor_are_counted)
{
    static const uint32_t sizes[] = {100, 200};
    const ifn_backend_desc desc = {
        .table_bytes = 2 * sizeof(void (*)(void)), .call_bytes = 40, .args_bytes = sizes};
    assert_int_equal(ifn_known_of(&desc, (ifn_op)1).args, 200);
    assert_int_equal(ifn_known_of(&desc, (ifn_op)1).call, 40);
    assert_int_equal(ifn_known_of(&desc, (ifn_op)2).args, 0); /* beyond its table */
}
