/* What operands say is written, held against what the reference writes: byte by byte, every op. */
#include "operand_case.h"

#include "scalar.h"

enum { N_OUT = 2 * sizeof mem[0] }; /* outputs lie in mem[0] and mem[1] */

static ifn_status run(ifn_op op, const ifn_args *args)
{
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        return ifn_scalar_##name(NULL, &args->name);
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
    return IFN_ERR_ARGUMENT;
}

/* Fills what outputs may lie in, and everything else with finite numbers. */
static void fill_memory(int pattern)
{
    for (size_t i = 0; i < N_OF(mem); i++)
        memset(mem[i], i < 2 ? pattern : 0, sizeof mem[i]);
}

/* Sets to 1 what operands say is written. */
static void mark_written(const ifn_operands *operands, unsigned char marks[N_OUT])
{
    for (size_t i = 0; i < operands->n; i++) {
        const ifn_operand *const o = &operands->items[i];
        const size_t at = (size_t)((const char *)o->data - (const char *)mem);
        for (int64_t r = 0; r < o->rows && o->role == IFN_OPERAND_WRITTEN; r++)
            if (o->data && at < N_OUT) /* the index of an argmax lies elsewhere */
                memset(marks + at + (size_t)r * o->stride_bytes, 1, o->row_bytes);
    }
}

static size_t written_bytes(const ifn_operands *operands)
{
    size_t n = 0;
    for (size_t i = 0; i < operands->n; i++)
        if (operands->items[i].role == IFN_OPERAND_WRITTEN)
            n += (size_t)operands->items[i].rows * operands->items[i].row_bytes;
    return n;
}

/* 1 if some written operand is told of by its size alone. */
static int has_scattered_output(const ifn_operands *operands)
{
    for (size_t i = 0; i < operands->n; i++)
        if (operands->items[i].role == IFN_OPERAND_WRITTEN && !operands->items[i].data)
            return 1;
    return 0;
}

/* Bytes of the output memory that two runs over two fills agree on are those the op wrote. */
static void assert_writes_what_operands_say(ifn_op op, const ifn_args *args)
{
    static unsigned char first[N_OUT], changed[N_OUT], marks[N_OUT];
    const unsigned char *const second = (const unsigned char *)mem;
    ifn_operands operands;
    size_t n = op == IFN_OP_ARGMAX_WITH_PROB ? sizeof(int32_t) : 0;
    fill_memory(0xa5);
    assert_int_equal(run(op, args), IFN_OK);
    memcpy(first, mem, sizeof first);
    fill_memory(0x5a);
    assert_int_equal(run(op, args), IFN_OK);
    for (size_t i = 0; i < sizeof first; i++) {
        changed[i] = first[i] == second[i];
        n += changed[i];
    }
    ifn_op_operands(op, &args->call, &operands);
    memset(marks, 0, sizeof marks);
    mark_written(&operands, marks);
    assert_that(has_scattered_output(&operands) || memcmp(marks, changed, sizeof marks) == 0,
                "%s: writes other bytes than its operands say", ifn_op_name(op));
    assert_that(n == written_bytes(&operands), "%s: writes %zu bytes, operands say %zu",
                ifn_op_name(op), n, written_bytes(&operands));
}

static void whole_calls_write_what_their_operands_say(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_args args = legal_call((ifn_op)op);
        assert_writes_what_operands_say((ifn_op)op, &args);
    }
}

static void pieces_write_what_their_operands_say(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        for (int axis = 0; axis < 2; axis++) {
            ifn_args args = legal_call((ifn_op)op);
            const int64_t extent = ifn_op_extent((ifn_op)op, &args.call, axis);
            for (int64_t begin = 0; begin < extent; begin++) {
                for (int64_t end = begin + 1; end <= extent; end++) {
                    ifn_op_set_part((ifn_op)op, &args.call, axis, begin, end);
                    assert_writes_what_operands_say((ifn_op)op, &args);
                }
            }
        }
    }
}

static void partials_are_written_in_pieces_of_heads_and_blocks(void **state)
{
    (void)state;
    for (int64_t begin = 0; begin < 3; begin++) {
        ifn_args args = {.attention = legal_attention()};
        ifn_attention_args *const a = &args.attention;
        *a = IFN_ARGS(attention, .q = mem[2], .partials = mem[0], .rows = 2, .n_heads = 2,
                      .n_kv_heads = 1, .head_dim = 8, .max_pos = 600, .first_pos = 598,
                      .k_cache = mem[3], .v_cache = mem[4], .scale = 1.0f,
                      .phase = IFN_ATTENTION_PARTIALS, .part2_begin = begin, .part2_end = begin + 1,
                      .part_begin = 1, .part_end = 2);
        assert_writes_what_operands_say(IFN_OP_ATTENTION, &args);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(whole_calls_write_what_their_operands_say),
        RUN(pieces_write_what_their_operands_say),
        RUN(partials_are_written_in_pieces_of_heads_and_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
