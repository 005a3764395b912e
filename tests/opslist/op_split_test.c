#include "op_split.h"

#include <stdbool.h>
#include <string.h>

#include <inferno/signature_values.h>

#include "legal_calls.h"
#include "test.h"

static const ifn_tensor w5 = {.name = "w5", .n_dims = 2, .shape = {5, 32}};
static const ifn_tensor w7 = {.name = "w7", .n_dims = 2, .shape = {7, 32}};
static const ifn_tensor w9 = {.name = "w9", .n_dims = 2, .shape = {9, 32}};

/* Returns the argument along which all cut tensors are cut, as a whole and by the first part alone; NULL: it is not
 * that simple. */
static const ifn_op_arg *only_cut(ifn_op op)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    const char *name = NULL;
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0; k < s.args[i].n_dims; k++) {
            const ifn_op_dim *const d = &s.args[i].dims[k];
            const char *const its = ifn_op_arg_name_at(op, d->extent);
            if (d->cut == IFN_DIM_WHOLE)
                continue;
            if (d->cut != IFN_DIM_PART || d->plus || d->weight || d->begin || d->after ||
                d->choice || (name && strcmp(name, its) != 0))
                return NULL;
            name = its;
        }
    return name ? ifn_op_arg_find(op, name) : NULL;
}

/* A call of every op that is not that simple, and of some that are, with the extents by the op list. No two sizes of
 * a call are equal. */
typedef struct expectation {
    ifn_op op;
    const ifn_call *args;
    int64_t extent, extent2;
} expectation;

#define CALL(NAME, name, n, n2, ...)                                                               \
    {                                                                                              \
        IFN_OP_##NAME, &IFN_ARGS(name, __VA_ARGS__).call, n, n2                                    \
    }

TEST(extents_are_those_of_the_declared_split)
{
    const expectation all[] = {
        CALL(MATMUL, matmul, 2, 5, .m = 2, .n = 3, .p = 5),
        CALL(ADD, add, 11, 0, .n = 11),
        CALL(SCALE, scale, 11, 0, .n = 11),
        CALL(ADD_SCALAR, add_scalar, 11, 0, .n = 11),
        CALL(SILU, silu, 11, 0, .n = 11),
        CALL(SUM_SQUARES_AXIS, sum_squares_axis, 3, 0, .rows = 2, .cols = 3, .axis = 0),
        CALL(SUM_SQUARES_AXIS, sum_squares_axis, 2, 0, .rows = 2, .cols = 3, .axis = 1),
        CALL(BROADCAST_ROW_SCALARS, broadcast_row_scalars, 2, 0, .rows = 2, .dim = 3),
        CALL(REPEAT_ROW_AS_MATRIX, repeat_row_as_matrix, 2, 0, .rows = 2, .dim = 3),
        CALL(TRANSPOSE_2D, transpose_2d, 3, 0, .rows = 2, .cols = 3),
        CALL(RESHAPE_DATA, reshape_data, 12, 0, .rows = 3, .cols = 4, .out_rows = 2, .out_cols = 6),
        CALL(SOFTMAX_ROWS, softmax_rows, 2, 0, .rows = 2, .cols = 3),
        CALL(GATHER_ROWS, gather_rows, 4, 0, .n = 4, .table = &w5),
        CALL(FILL_STRICT_UPPER_TRI, fill_strict_upper_tri, 2, 0, .rows = 2, .cols = 3),
        CALL(COPY_2D_FROM_COLS, copy_2d_from_cols, 2, 0, .rows = 2, .cols = 3, .x_cols = 7),
        CALL(COPY_2D_INTO_COLS, copy_2d_into_cols, 2, 0, .rows = 2, .cols = 3, .out_cols = 7),
        CALL(COPY_ROW_2D, copy_row_2d, 0, 0, .out_rows = 2, .x_rows = 3, .cols = 5),
        CALL(COPY_CONTIGUOUS_INTO, copy_contiguous_into, 3, 0, .n = 3, .out_n = 7),
        CALL(CONCAT_DIM0, concat_dim0, 5, 0, .a_rows = 2, .b_rows = 3, .cols = 7),
        CALL(APPLY_ROPE, apply_rope, 2, 0, .rows = 2, .n_heads = 3, .head_dim = 8),
        CALL(APPLY_ROPE_SINGLE_ROW, apply_rope_single_row, 3, 0, .n_heads = 3, .head_dim = 8),
        CALL(ARGMAX_WITH_PROB, argmax_with_prob, 0, 0, .n = 9),
        CALL(LINEAR, linear, 21, 3, .rows = 3, .k = 32, .n_w = 3, .w = {&w5, &w7, &w9}),
        CALL(LINEAR_Q8, linear_q8, 12, 3, .rows = 3, .k = 32, .n_w = 2, .w = {&w5, &w7, &w9}),
        CALL(QUANTIZE_ROWS, quantize_rows, 2, 0, .rows = 2, .cols = 32),
        CALL(DEQUANTIZE_ROWS, dequantize_rows, 2, 0, .rows = 2, .cols = 32),
        CALL(RMS_NORM, rms_norm, 2, 0, .rows = 2, .dim = 3),
        CALL(SWIGLU, swiglu, 2, 0, .rows = 2, .dim = 3),
        CALL(KV_STORE, kv_store, 3, 0, .rows = 2, .max_pos = 64, .n_kv_heads = 3, .head_dim = 8),
        CALL(ATTENTION, attention, 6, 0, .rows = 2, .first_pos = 255, .max_pos = 512, .n_heads = 6,
             .n_kv_heads = 3, .head_dim = 8),
        CALL(COPY_IN, copy_in, 0, 0, .bytes = 9),
        CALL(COPY_OUT, copy_out, 0, 0, .bytes = 9),
    };
    bool seen[IFN_OP_COUNT] = {0};
    for (size_t i = 0; i < N_OF(all); i++) {
        const expectation *const e = &all[i];
        seen[e->op] = true;
        assert_that(ifn_op_extent(e->op, e->args, 0) == e->extent, "%s", ifn_op_name(e->op));
        assert_that(ifn_op_extent(e->op, e->args, 1) == e->extent2, "%s", ifn_op_name(e->op));
        assert_true(ifn_op_extent(e->op, e->args, 2) == 0);
    }
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        const ifn_op_arg *const along = only_cut(op);
        const ifn_args args = legal_call(op);
        assert_that(seen[i] || along, "%s is not in the list above", ifn_op_name(op));
        if (along)
            assert_int_equal(ifn_op_extent(op, &args.call, 0), ifn_arg_integer(along, &args.call));
    }
}

static int64_t key_blocks(int64_t first_pos, int64_t rows, ifn_attention_phase phase)
{
    const ifn_attention_args a =
        IFN_ARGS(attention, .rows = rows, .first_pos = first_pos, .max_pos = 4096, .phase = phase);
    return ifn_op_extent(IFN_OP_ATTENTION, &a.call, 1);
}

TEST(key_blocks_are_counted_from_position_zero)
{
    assert_int_equal(key_blocks(0, 0, IFN_ATTENTION_PARTIALS), 0);
    assert_int_equal(key_blocks(0, 1, IFN_ATTENTION_PARTIALS), 1);
    assert_int_equal(key_blocks(0, 256, IFN_ATTENTION_PARTIALS), 1);
    assert_int_equal(key_blocks(1, 256, IFN_ATTENTION_PARTIALS), 2);
    assert_int_equal(key_blocks(255, 2, IFN_ATTENTION_PARTIALS), 2);
    assert_int_equal(key_blocks(1023, 1, IFN_ATTENTION_PARTIALS), 4);
}

TEST(only_partials_are_cut_by_key_blocks)
{
    assert_int_equal(key_blocks(255, 2, IFN_ATTENTION_WHOLE), 0);
    assert_int_equal(key_blocks(255, 2, IFN_ATTENTION_MERGE), 0);
}

/* Sets both parts of an all-zero struct: exactly the declared ones change, and reading gives them back. */
TEST(a_part_that_is_set_reads_back)
{
    for (int i = 0; i < IFN_OP_COUNT; i++) {
        const ifn_op op = (ifn_op)i;
        for (int axis = 0; axis < 2; axis++) {
            ifn_args args = {0};
            const ifn_args before = args;
            ifn_op_set_part(op, &args.call, axis, 3, 9);
            const ifn_range part = ifn_op_get_part(op, &args.call, axis);
            const ifn_range other = ifn_op_get_part(op, &args.call, !axis);
            const bool is_cut = ifn_op_cut(op, axis) != IFN_CUT_NONE;
            assert_true(part.begin == (is_cut ? 3 : 0) && part.end == (is_cut ? 9 : 0));
            assert_true(other.begin == 0 && other.end == 0);
            assert_int_equal(memcmp(&args, &before, sizeof args) != 0, is_cut);
        }
    }
}

TEST(parts_stand_where_the_struct_says)
{
    ifn_matmul_args matmul = IFN_ARGS(matmul, .m = 9, .p = 9);
    ifn_op_set_part(IFN_OP_MATMUL, &matmul.call, 0, 1, 2);
    ifn_op_set_part(IFN_OP_MATMUL, &matmul.call, 1, 3, 4);
    assert_true(matmul.part_begin == 1 && matmul.part_end == 2);
    assert_true(matmul.part2_begin == 3 && matmul.part2_end == 4);
    assert_true(matmul.m == 9 && matmul.p == 9 && matmul.call.bytes == sizeof matmul);
}

TEST(what_is_no_op_or_axis_has_no_parts)
{
    ifn_args args = {0};
    const ifn_args before = args;
    ifn_op_set_part(IFN_OP_COUNT, &args.call, 0, 1, 2);
    ifn_op_set_part(IFN_OP_MATMUL, &args.call, 2, 1, 2);
    ifn_op_set_part(IFN_OP_MATMUL, &args.call, -1, 1, 2);
    assert_memory_equal(&args, &before, sizeof args);
    assert_true(ifn_op_extent(IFN_OP_COUNT, &args.call, 0) == 0);
    assert_true(ifn_op_get_part(IFN_OP_COUNT, &args.call, 0).end == 0);
}

/* A caller may cut a call before it is checked, so no size is trusted (UBSan watches). */
TEST(sizes_that_are_wrong_have_extents_too)
{
    const int64_t wrong[] = {-1, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < N_OF(wrong); i++)
        for (size_t j = 0; j < N_OF(wrong); j++) {
            const int64_t a = wrong[i], b = wrong[j];
            const ifn_args concat = {.concat_dim0 = {.a_rows = a, .b_rows = b, .cols = 1}};
            const ifn_args flat = {.reshape_data = {.out_rows = a, .out_cols = b}};
            const ifn_args keys = {
                .attention = {.phase = IFN_ATTENTION_PARTIALS, .first_pos = a, .rows = b}};
            const int64_t sum = (int64_t)((uint64_t)a + (uint64_t)b);
            const int64_t product = (int64_t)((uint64_t)a * (uint64_t)b);
            assert_int_equal(ifn_op_extent(IFN_OP_CONCAT_DIM0, &concat.call, 0), a > 0 && b > 0
                                                                                     ? INT64_MAX
                                                                                 : sum > 0 ? sum
                                                                                           : 0);
            assert_int_equal(ifn_op_extent(IFN_OP_RESHAPE_DATA, &flat.call, 0),
                             product > 0 ? product : 0);
            (void)ifn_op_extent(IFN_OP_ATTENTION, &keys.call, 1);
        }
}
