/* Compares what operands say is written with what the reference writes: byte by byte, for every op. */
#include "operand_case.h"

#include "scalar.h"

enum { F = sizeof(float) };
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

/* Fills the memory of outputs with a pattern, and all other memory with finite numbers. */
static void fill_memory(int pattern)
{
    for (size_t i = 0; i < N_OF(mem); i++)
        memset(mem[i], i < 2 ? pattern : 0, sizeof mem[i]);
}

/* Sets the marks of all bytes that operands say are written. */
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

/* Returns 1 if some written operand states only its size. */
static int has_scattered_output(const ifn_operands *operands)
{
    for (size_t i = 0; i < operands->n; i++)
        if (operands->items[i].role == IFN_OPERAND_WRITTEN && !operands->items[i].data)
            return 1;
    return 0;
}

/* The op wrote the output bytes that are equal after two runs over two fills. */
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

TEST(whole_calls_write_what_their_operands_say)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_args args = legal_call((ifn_op)op);
        assert_writes_what_operands_say((ifn_op)op, &args);
    }
}

TEST(pieces_write_what_their_operands_say)
{
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

TEST(partials_are_written_in_pieces_of_heads_and_blocks)
{
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

TEST(matmul_touches_its_rows_and_columns)
{
    ifn_operands o;
    OPERANDS(&o, matmul, (a.part_begin = 1, a.part_end = 2, a.part2_begin = 3, a.part2_end = 5));
    assert_int_equal(o.n, 3);
    assert_shape(&o, "a", 2, 2, 3, 0);
    assert_touches(&o, "a", (touched){mem[2] + 3, 1, 3 * F, 3 * F});
    assert_shape(&o, "b", 2, 3, 5, 0);
    assert_touches(&o, "b", (touched){mem[3] + 3, 3, 2 * F, 5 * F});
    assert_touches(&o, "out", (touched){mem[0] + 5 + 3, 1, 2 * F, 5 * F});
    assert_int_equal(operand_find(&o, "a")->role, IFN_OPERAND_READ);
    assert_int_equal(operand_find(&o, "out")->role, IFN_OPERAND_WRITTEN);
}

TEST(sum_squares_keeps_one_axis)
{
    ifn_operands o;
    OPERANDS(&o, sum_squares_axis, (a.part_begin = 1, a.part_end = 2));
    assert_touches(&o, "x", (touched){mem[2] + 3, 1, 3 * F, 3 * F});
    assert_touches(&o, "out", (touched){mem[0] + 1, 1, F, F});
    OPERANDS(&o, sum_squares_axis, (a.axis = 0, a.part_begin = 1, a.part_end = 3));
    assert_touches(&o, "x", (touched){mem[2] + 1, 2, 2 * F, 3 * F});
    assert_touches(&o, "out", (touched){mem[0] + 1, 1, 2 * F, 2 * F});
}

TEST(transpose_reads_the_columns_it_writes_as_rows)
{
    ifn_operands o;
    OPERANDS(&o, transpose_2d, (a.part_begin = 1, a.part_end = 3));
    assert_touches(&o, "x", (touched){mem[2] + 1, 2, 2 * F, 3 * F});
    assert_shape(&o, "out", 2, 3, 2, 0);
    assert_touches(&o, "out", (touched){mem[0] + 2, 2, 2 * F, 2 * F});
}

TEST(reshape_has_two_shapes_of_one_run)
{
    ifn_operands o;
    OPERANDS(&o, reshape_data, (a.part_begin = 5, a.part_end = 7));
    assert_shape(&o, "x", 2, 3, 4, 0);
    assert_shape(&o, "out", 2, 2, 6, 0);
    assert_touches(&o, "out", (touched){mem[0] + 5, 1, 2 * F, 2 * F});
}

TEST(windows_of_columns)
{
    ifn_operands o;
    OPERANDS(&o, copy_2d_from_cols, (a.part_begin = 1, a.part_end = 2));
    assert_touches(&o, "x", (touched){mem[2] + 7 + 4, 1, 3 * F, 7 * F});
    assert_touches(&o, "out", (touched){mem[0] + 3, 1, 3 * F, 3 * F});
    OPERANDS(&o, copy_2d_into_cols, (void)0);
    assert_touches(&o, "x", (touched){mem[2], 2, 3 * F, 3 * F});
    assert_touches(&o, "out", (touched){mem[0] + 4, 2, 3 * F, 7 * F});
}

TEST(copies)
{
    ifn_operands o;
    OPERANDS(&o, copy_row_2d, (void)0);
    assert_touches(&o, "x", (touched){mem[2] + 10, 1, 5 * F, 5 * F});
    assert_touches(&o, "out", (touched){mem[0] + 5, 1, 5 * F, 5 * F});
    OPERANDS(&o, copy_contiguous_into, (a.part_begin = 1, a.part_end = 3));
    assert_touches(&o, "x", (touched){mem[2] + 1, 1, 2 * F, 2 * F});
    assert_touches(&o, "out", (touched){mem[0] + 5, 1, 2 * F, 2 * F});
    assert_int_equal(operand_find(&o, "out")->dtype, IFN_DTYPE_COUNT);
}

TEST(concat_reads_what_each_input_has_of_the_rows)
{
    ifn_operands o;
    OPERANDS(&o, concat_dim0, (a.part_begin = 1, a.part_end = 4));
    assert_touches(&o, "a", (touched){mem[2] + 7, 1, 7 * F, 7 * F});
    assert_touches(&o, "b", (touched){mem[3], 2, 7 * F, 7 * F});
    assert_touches(&o, "out", (touched){mem[0] + 7, 3, 7 * F, 7 * F});
}

TEST(rope_has_heads)
{
    ifn_operands o;
    OPERANDS(&o, apply_rope, (a.part_begin = 1, a.part_end = 2));
    assert_shape(&o, "x", 3, 2, 3, 8);
    assert_touches(&o, "x", (touched){mem[2] + 24, 1, 24 * F, 24 * F});
    assert_touches(&o, "table", (touched){mem[3] + 8, 1, 8 * F, 8 * F});
    OPERANDS(&o, apply_rope_single_row, (a.part_begin = 1, a.part_end = 3));
    assert_touches(&o, "out", (touched){mem[0] + 8, 2, 8 * F, 8 * F});
    assert_touches(&o, "table", (touched){mem[3], 1, 8 * F, 8 * F});
}

TEST(what_is_missing_is_left_out)
{
    ifn_operands o;
    OPERANDS(&o, add, (a.n = 0, a.x = NULL, a.y = NULL, a.out = NULL));
    assert_int_equal(o.n, 0);
    OPERANDS(&o, fill_strict_upper_tri, (a.rows = 0, a.x = NULL));
    assert_int_equal(o.n, 0);
}

TEST(conversions_of_rows)
{
    ifn_operands o;
    OPERANDS(&o, quantize_rows, (a.part_begin = 1, a.part_end = 2));
    assert_int_equal(operand_find(&o, "out")->dtype, IFN_DTYPE_Q8_0);
    assert_touches(&o, "out", (touched){(char *)mem[0] + 68, 1, 68, 68});
    OPERANDS(&o, dequantize_rows, (void)0);
    assert_touches(&o, "x", (touched){mem[2], 2, 68, 68});
    assert_touches(&o, "out", (touched){mem[0], 2, 64 * F, 64 * F});
}

TEST(rms_norm_may_add_and_keep_the_sum)
{
    ifn_operands o;
    OPERANDS(&o, rms_norm, (a.part_begin = 1, a.part_end = 2, a.out_dtype = IFN_DTYPE_Q8_32F));
    assert_int_equal(o.n, 5);
    assert_touches(&o, "add", (touched){mem[3] + 64, 1, 64 * F, 64 * F});
    assert_touches(&o, "weight", (touched){mem[4], 1, 64 * F, 64 * F});
    assert_touches(&o, "sum", (touched){mem[1] + 64, 1, 64 * F, 64 * F});
    assert_touches(&o, "out", (touched){(char *)mem[0] + 80, 1, 80, 80});
    OPERANDS(&o, rms_norm, (a.add = NULL, a.sum = NULL));
    assert_int_equal(o.n, 3);
    OPERANDS(&o, swiglu, (a.part_begin = 1, a.part_end = 2));
    assert_touches(&o, "up", (touched){mem[3] + 64, 1, 64 * F, 64 * F});
}

/* Two rows from position 5 of 7 on; head 1 of 3. */
TEST(kv_store_writes_positions_of_heads)
{
    ifn_operands o;
    OPERANDS(&o, kv_store, (a.part_begin = 1, a.part_end = 2));
    assert_shape(&o, "k", 3, 2, 3, 32);
    assert_touches(&o, "k", (touched){mem[2] + 32, 2, 32 * F, 96 * F});
    assert_shape(&o, "v_cache", 3, 3, 7, 32);
    assert_touches(&o, "v_cache", (touched){mem[1] + (7 + 5) * 32, 1, 2 * 32 * F, 7 * 32 * F});
    OPERANDS(&o, kv_store, (a.part_begin = 1, a.part_end = 3, a.cache_dtype = IFN_DTYPE_Q8_0));
    assert_touches(&o, "k_cache",
                   (touched){(char *)mem[0] + (7 + 5) * 34, 2, (size_t)2 * 34, (size_t)7 * 34});
}
