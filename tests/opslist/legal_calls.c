#include "legal_calls.h"

#include <stdio.h>
#include <string.h>

#include <inferno/signature_values.h>

#include "test.h"

float mem[8][MEM_FLOATS];
int32_t legal_ids[4];
ifn_tensor legal_w5, legal_w7, legal_q5, legal_q7;

static void reset_tensors(void)
{
    const int32_t ids[] = {4, 0, 2, 2};
    for (size_t i = 0; i < N_OF(ids); i++)
        legal_ids[i] = ids[i];
    legal_w5 = (ifn_tensor){"w5", mem[6], IFN_DTYPE_F32, 2, {5, 32}};
    legal_w7 = (ifn_tensor){"w7", mem[7], IFN_DTYPE_F32, 2, {7, 32}};
    legal_q5 = (ifn_tensor){"q5", mem[6], IFN_DTYPE_Q8_0, 2, {5, 32}};
    legal_q7 = (ifn_tensor){"q7", mem[7], IFN_DTYPE_Q8_0, 2, {7, 32}};
}

/* Calls that do not follow from the signature of their op, or that set more than they must. */
#define LEGAL(NAME, name, ...) [IFN_OP_##NAME] = {.name = IFN_ARGS(name, __VA_ARGS__)}

static ifn_args written_call(ifn_op op)
{
    const ifn_args calls[IFN_OP_COUNT] = {
        LEGAL(SUM_SQUARES_AXIS, sum_squares_axis, .out = mem[0], .x = mem[2], .rows = 2, .cols = 3,
              .axis = 1),
        LEGAL(RESHAPE_DATA, reshape_data, .out = mem[0], .x = mem[2], .rows = 3, .cols = 4,
              .out_rows = 2, .out_cols = 6),
        LEGAL(GATHER_ROWS, gather_rows, .out = mem[0], .table = &legal_w5, .ids = legal_ids,
              .n = 4),
        LEGAL(FILL_STRICT_UPPER_TRI, fill_strict_upper_tri, .x = mem[0], .rows = 2, .cols = 3,
              .offset = -1),
        LEGAL(COPY_2D_FROM_COLS, copy_2d_from_cols, .out = mem[0], .x = mem[2], .rows = 2,
              .cols = 3, .x_cols = 7, .col_begin = 4),
        LEGAL(COPY_2D_INTO_COLS, copy_2d_into_cols, .out = mem[0], .x = mem[2], .rows = 2,
              .cols = 3, .out_cols = 7, .col_begin = 4),
        LEGAL(COPY_ROW_2D, copy_row_2d, .out = mem[0], .x = mem[2], .out_rows = 2, .x_rows = 3,
              .cols = 5, .out_row = 1, .x_row = 2),
        LEGAL(COPY_CONTIGUOUS_INTO, copy_contiguous_into, .out = mem[0], .x = mem[2], .n = 3,
              .out_n = 7, .out_offset = 4),
        LEGAL(CONCAT_DIM0, concat_dim0, .out = mem[0], .a = mem[2], .b = mem[3], .a_rows = 2,
              .b_rows = 3, .cols = 7),
        LEGAL(APPLY_ROPE_SINGLE_ROW, apply_rope_single_row, .out = mem[0], .x = mem[2],
              .table = mem[3], .n_heads = 3, .head_dim = 8, .pairing = IFN_ROPE_INTERLEAVED),
        LEGAL(ARGMAX_WITH_PROB, argmax_with_prob, .index = legal_ids, .value = mem[0], .x = mem[2],
              .n = 9),
        LEGAL(LINEAR, linear, .x = mem[2], .rows = 3, .k = 32, .x_stride = 32, .n_w = 2,
              .w = {&legal_w5, &legal_w7}, .out = {mem[0], mem[1]}, .bias = {mem[3], NULL},
              .out_stride = {5, 7}),
        LEGAL(LINEAR_Q8, linear_q8, .x = (const ifn_block_q8_32f *)mem[2], .rows = 3, .k = 32,
              .x_stride = 1, .n_w = 2, .w = {&legal_q5, &legal_q7}, .out = {mem[0], mem[1]},
              .bias = {mem[3], NULL}, .out_stride = {5, 7}),
        LEGAL(QUANTIZE_ROWS, quantize_rows, .out = mem[0], .x = mem[2], .rows = 2, .cols = 64,
              .out_dtype = IFN_DTYPE_Q8_0),
        LEGAL(DEQUANTIZE_ROWS, dequantize_rows, .out = mem[0], .x = mem[2], .rows = 2, .cols = 64,
              .dtype = IFN_DTYPE_Q8_0),
        LEGAL(RMS_NORM, rms_norm, .out = mem[0], .sum = mem[1], .x = mem[2], .add = mem[3],
              .weight = mem[4], .rows = 2, .dim = 64, .eps = 1e-5f),
        LEGAL(SWIGLU, swiglu, .out = mem[0], .gate = mem[2], .up = mem[3], .rows = 2, .dim = 64),
        LEGAL(KV_STORE, kv_store, .k_cache = mem[0], .v_cache = mem[1], .k = mem[2], .v = mem[3],
              .rows = 2, .first_pos = 5, .max_pos = 7, .n_kv_heads = 3, .head_dim = 32),
        LEGAL(ATTENTION, attention, .out = mem[0], .q = mem[2], .k_cache = mem[3],
              .v_cache = mem[4], .rows = 2, .first_pos = 5, .max_pos = 9, .n_heads = 6,
              .n_kv_heads = 3, .head_dim = 32, .scale = 1.0f),
        LEGAL(COPY_IN, copy_in, .out = mem[0], .host = mem[2], .bytes = 9),
        LEGAL(COPY_OUT, copy_out, .host = mem[0], .x = mem[2], .bytes = 9),
    };
    return calls[op];
}

static int count(ifn_op op, ifn_arg_kind kind)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    int n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += s.args[i].kind == kind;
    return n;
}

static void set_number(ifn_op op, const ifn_op_arg *a, int i, ifn_call *args)
{
    static const int64_t sizes[] = {2, 3, 5, 7}, alone = 11, even = 8;
    const float one = 1.0f;
    if (a->kind == IFN_ARG_REAL)
        memcpy((char *)args + a->offset, &one, sizeof one);
    else if (a->kind == IFN_ARG_EXTENT)
        ifn_arg_set_integer(a, args, count(op, IFN_ARG_EXTENT) == 1 ? alone : sizes[i]);
    else if (a->kind == IFN_ARG_EVEN)
        ifn_arg_set_integer(a, args, even);
}

static void set_pointer(const ifn_op_arg *a, void *to, ifn_call *args)
{
    memcpy((char *)args + a->offset, &to, sizeof to);
}

/* Derives a call from the signature: numbers and tensors. */
static ifn_args derived_call(ifn_op op)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    ifn_args args = {.call = {.bytes = (uint32_t)ifn_op_args_bytes(op)}};
    int n_sizes = 0, n_written = 0, n_read = 0;
    for (size_t i = 0; i < s.n; i++) {
        const ifn_op_arg *const a = &s.args[i];
        set_number(op, a, n_sizes, &args.call);
        n_sizes += a->kind == IFN_ARG_EXTENT;
        if (ifn_arg_is_written(a))
            set_pointer(a, mem[n_written++], &args.call);
        else if (ifn_arg_is_tensor(a))
            set_pointer(a, mem[2 + n_read++], &args.call);
    }
    return args;
}

/* Outputs are in mem[0] and mem[1], inputs after them. No two sizes of a call are equal. */
ifn_args legal_call(ifn_op op)
{
    reset_tensors();
    const ifn_args written = written_call(op);
    return written.call.bytes ? written : derived_call(op);
}

static ifn_op op_of(const char *name)
{
    ifn_op op = IFN_OP_COUNT;
    assert_true(ifn_op_from_name(name, &op));
    return op;
}

void assert_accepted(const char *op_name, const ifn_call *call)
{
    ifn_error err = {.text = "untouched"};
    const ifn_status status = ifn_op_check(op_of(op_name), call, &err);
    assert_that(status == IFN_OK, "refused: %s", err.text);
    assert_string_equal(err.text, "untouched");
}

void assert_refused(const char *op_name, const ifn_call *call, ifn_status status,
                    const char *message)
{
    ifn_error err = {.text = "accepted"};
    char expected[sizeof err.text];
    const ifn_status got = ifn_op_check(op_of(op_name), call, &err);
    snprintf(expected, sizeof expected, "%s: %s", op_name, message);
    assert_string_equal(err.text, expected);
    assert_int_equal(got, status);
}
