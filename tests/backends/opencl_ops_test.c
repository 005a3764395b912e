/*
 * Compares every op of the OpenCL backend with scalar, on random shapes. Sums in scalar's order must
 * have scalar's bits. Sums in lanes and exponentials may differ by what numerics.md allows for the few
 * hundred terms of these shapes: 2 * 512 * 2^-24, for numbers of magnitude about 1.
 */
#include <inferno/quant.h>

#include <stdio.h>
#include <string.h>

#include "device_calls.h"
#include "opencl_here.h"

#define NEAR 0x1p-14f

enum { ROUNDS = 6 };

typedef struct both {
    device d;
    ifn_backend *scalar;
    uint64_t seed;
} both;

static both open_both(void)
{
    both b = {.d = open_device("opencl"), .seed = 1};
    assert_int_equal(ifn_backend_open("scalar", NULL, &b.scalar, NULL), IFN_OK);
    return b;
}

static void close_both(both *b)
{
    ifn_backend_close(b->scalar);
    close_device(&b->d);
}

/* A number of 1 .. most. */
static int64_t draw(both *b, int64_t most)
{
    b->seed = b->seed * 6364136223846793005u + 1442695040888963407u;
    return 1 + (int64_t)((b->seed >> 33) % (uint64_t)most);
}

static void refill(both *b)
{
    fill_memory(b->seed);
    (void)legal_call(IFN_OP_ADD); /* restores the ids and tensors of legal calls */
}

/* Compares the whole call, and its second half along the first axis. */
static void expect(both *b, ifn_op op, const ifn_args *call, float tolerance)
{
    ifn_args part = *call;
    const int64_t n = ifn_op_extent(op, &call->call, 0);
    run_near(&b->d, b->scalar, op, call, tolerance);
    ifn_op_set_part(op, &part.call, 0, n / 2, n);
    if (n > 1)
        run_near(&b->d, b->scalar, op, &part, tolerance);
}

#define EXPECT(b, NAME, name, tolerance, ...)                                                      \
    do {                                                                                           \
        refill(b);                                                                                 \
        const ifn_args call = {.name = IFN_ARGS(name, __VA_ARGS__)};                               \
        expect(b, IFN_OP_##NAME, &call, tolerance);                                                \
    } while (0)

TEST(legal_calls_are_as_on_the_host)
{
    both b = open_both();
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        fill_memory((uint64_t)op + 1);
        const ifn_args call = call_of(op);
        if (op != IFN_OP_COPY_OUT)
            expect(&b, op, &call, NEAR);
    }
    close_both(&b);
}

TEST(elements_have_the_bits_of_scalar)
{
    both b = open_both();
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t n = draw(&b, 700);
        EXPECT(&b, ADD, add, 0, .out = mem[0], .x = mem[2] + 1, .y = mem[3] + 3, .n = n);
        EXPECT(&b, HADAMARD, hadamard, 0, .out = mem[2], .x = mem[2], .y = mem[3], .n = n);
        EXPECT(&b, SCALE, scale, 0, .out = mem[0], .x = mem[2], .value = 0.3f, .n = n);
        EXPECT(&b, ADD_SCALAR, add_scalar, 0, .out = mem[0], .x = mem[2], .value = 0.3f, .n = n);
        EXPECT(&b, RSQRT_ELEM, rsqrt_elem, 0, .out = mem[0], .x = mem[2], .n = n);
        EXPECT(&b, SILU, silu, NEAR, .out = mem[0], .x = mem[2], .n = n);
        EXPECT(&b, ARGMAX_WITH_PROB, argmax_with_prob, 0, .index = legal_ids, .value = mem[0],
               .x = mem[2], .n = n);
    }
    close_both(&b);
}

TEST(moved_elements_are_where_scalar_moves_them)
{
    both b = open_both();
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t r = draw(&b, 20), c = draw(&b, 90), at = draw(&b, 9);
        EXPECT(&b, BROADCAST_ROW_SCALARS, broadcast_row_scalars, 0, .out = mem[0], .x = mem[2],
               .rows = r, .dim = c);
        EXPECT(&b, REPEAT_ROW_AS_MATRIX, repeat_row_as_matrix, 0, .out = mem[0], .x = mem[2],
               .rows = r, .dim = c);
        EXPECT(&b, TRANSPOSE_2D, transpose_2d, 0, .out = mem[0], .x = mem[2], .rows = r, .cols = c);
        EXPECT(&b, RESHAPE_DATA, reshape_data, 0, .out = mem[0], .x = mem[2], .rows = r, .cols = c,
               .out_rows = c, .out_cols = r);
        EXPECT(&b, FILL_STRICT_UPPER_TRI, fill_strict_upper_tri, 0, .x = mem[0], .value = -1.5f,
               .rows = r, .cols = c, .offset = at);
        EXPECT(&b, COPY_2D_FROM_COLS, copy_2d_from_cols, 0, .out = mem[0], .x = mem[2], .rows = r,
               .cols = c, .x_cols = c + 9, .col_begin = at);
        EXPECT(&b, COPY_2D_INTO_COLS, copy_2d_into_cols, 0, .out = mem[0], .x = mem[2], .rows = r,
               .cols = c, .out_cols = c + 9, .col_begin = at);
        EXPECT(&b, CONCAT_DIM0, concat_dim0, 0, .out = mem[0], .a = mem[2], .b = mem[3],
               .a_rows = r, .b_rows = at, .cols = c);
        EXPECT(&b, COPY_CONTIGUOUS_INTO, copy_contiguous_into, 0, .out = mem[0], .x = mem[2],
               .n = r * c, .out_n = r * c + 9, .out_offset = at);
    }
    close_both(&b);
}

TEST(rows_are_as_scalar_makes_them)
{
    both b = open_both();
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t r = draw(&b, 12), c = draw(&b, 300), d = 32 * draw(&b, 8);
        for (int axis = 0; axis < 2; axis++)
            EXPECT(&b, SUM_SQUARES_AXIS, sum_squares_axis, NEAR, .out = mem[0], .x = mem[2],
                   .rows = r, .cols = c, .axis = axis);
        EXPECT(&b, SOFTMAX_ROWS, softmax_rows, NEAR, .out = mem[2], .x = mem[2], .rows = r,
               .cols = c);
        EXPECT(&b, RMS_NORM, rms_norm, NEAR, .out = mem[2], .sum = mem[3], .x = mem[2],
               .add = mem[3], .weight = mem[4], .rows = r, .dim = c, .eps = 1e-5f);
        EXPECT(&b, RMS_NORM, rms_norm, NEAR, .out = mem[0], .x = mem[2], .weight = mem[4],
               .rows = r, .dim = c, .eps = 1e-5f);
        EXPECT(&b, SWIGLU, swiglu, NEAR, .out = mem[0], .gate = mem[2], .up = mem[3], .rows = r,
               .dim = d);
        EXPECT(&b, APPLY_ROPE, apply_rope, 0, .out = mem[2], .x = mem[2], .table = mem[3],
               .rows = r, .n_heads = 3, .head_dim = d / 2, .pairing = i % 2);
        EXPECT(&b, APPLY_ROPE_SINGLE_ROW, apply_rope_single_row, 0, .out = mem[0], .x = mem[2],
               .table = mem[3], .n_heads = r, .head_dim = d / 2, .pairing = i % 2);
        EXPECT(&b, MATMUL, matmul, 0, .out = mem[0], .a = mem[2], .b = mem[3], .m = r,
               .n = 1 + c % 70, .p = 1 + d % 90);
    }
    close_both(&b);
}

/* Encodes rows of floats in a dtype, in place. */
static void encode(float *rows, ifn_dtype dtype, int64_t n, int64_t cols)
{
    static float from[MEM_FLOATS];
    const size_t row_bytes = ifn_dtype_row_bytes(dtype, cols);
    memcpy(from, rows, sizeof from);
    for (int64_t r = 0; r < n; r++)
        assert_int_equal(ifn_quantize_row(dtype, from + r * cols,
                                          (unsigned char *)rows + (size_t)r * row_bytes, cols),
                         IFN_OK);
}

TEST(rows_of_every_dtype_are_read_and_written_as_on_the_host)
{
    both b = open_both();
    for (ifn_dtype dtype = 0; dtype < IFN_DTYPE_COUNT; dtype++) {
        const int64_t block = ifn_dtype_block_elements(dtype), r = 1 + draw(&b, 6);
        const int64_t cols = block == 1 ? draw(&b, 200) : 256 * draw(&b, 3);
        EXPECT(&b, QUANTIZE_ROWS, quantize_rows, 0, .out = mem[0], .x = mem[2], .rows = r,
               .cols = cols, .out_dtype = dtype);
        refill(&b);
        encode(mem[2], dtype, r, cols);
        const ifn_args decode = {.dequantize_rows =
                                     IFN_ARGS(dequantize_rows, .out = mem[0], .x = mem[2],
                                              .rows = r, .cols = cols, .dtype = dtype)};
        expect(&b, IFN_OP_DEQUANTIZE_ROWS, &decode, 0);
        if (dtype == IFN_DTYPE_Q8_32F)
            continue;
        refill(&b);
        legal_w5 = (ifn_tensor){"table", mem[6], dtype, 2, {5, cols}};
        encode(mem[6], dtype, 5, cols);
        const ifn_args gather = {
            .gather_rows =
                IFN_ARGS(gather_rows, .out = mem[0], .table = &legal_w5, .ids = legal_ids, .n = 4)};
        expect(&b, IFN_OP_GATHER_ROWS, &gather, 0);
    }
    close_both(&b);
}

/* Compares linear with a raw weight in host memory, and with the handle that prepare makes of it. */
static void expect_linear(both *b, ifn_dtype dtype, int64_t features, int64_t rows, int64_t k)
{
    refill(b);
    legal_w5 = (ifn_tensor){"w", mem[6], dtype, 2, {features, k}};
    encode(mem[6], dtype, features, k);
    const bool is_q8 = ifn_dtype_is_quantized(dtype);
    ifn_args f32 = {.linear = IFN_ARGS(linear, .x = mem[2], .rows = rows, .k = k, .x_stride = k + 1,
                                       .n_w = 1, .w = {&legal_w5}, .out = {mem[0]},
                                       .bias = {mem[3]}, .out_stride = {features + 2})};
    ifn_args q8 = {.linear_q8 =
                       IFN_ARGS(linear_q8, .x = (const ifn_block_q8_32f *)mem[4], .rows = rows,
                                .k = k, .x_stride = k / 32, .n_w = 1, .w = {&legal_w5},
                                .out = {mem[0]}, .out_stride = {features})};
    if (is_q8)
        encode(mem[4], IFN_DTYPE_Q8_32F, rows, k);
    for (int i = 0; i < 2; i++) {
        const ifn_tensor *const w = &legal_w5;
        ifn_packed packed = {0};
        const uint32_t uses = IFN_USE_LINEAR | IFN_USE_LINEAR_Q8;
        if (i == 1)
            assert_int_equal(b->d.backend->desc->prepare(b->d.backend, &w, 1, uses, &packed, NULL),
                             IFN_OK);
        const ifn_args with[] = {f32, q8};
        for (int q = 0; q <= is_q8; q++) {
            const ifn_op op = q ? IFN_OP_LINEAR_Q8 : IFN_OP_LINEAR;
            ifn_args there = moved(&b->d, op, &with[q]);
            (q ? there.linear_q8.packed : there.linear.packed)[0] = packed.data;
            run_moved(&b->d, b->scalar, op, &with[q], &there, 0.0f);
        }
        if (packed.data)
            b->d.backend->desc->release(b->d.backend, &packed);
    }
}

TEST(products_with_weights_of_every_dtype_have_the_bits_of_scalar)
{
    both b = open_both();
    for (ifn_dtype dtype = 0; dtype < IFN_DTYPE_Q8_32F; dtype++) {
        const bool is_k = ifn_dtype_block_elements(dtype) == 256;
        const int64_t k = ifn_dtype_block_elements(dtype) == 1 ? draw(&b, 100) : is_k ? 256 : 96;
        const int64_t features = draw(&b, is_k ? 30 : 70);
        expect_linear(&b, dtype, features, 1, k);
        expect_linear(&b, dtype, features, 1 + draw(&b, 10), k);
    }
    close_both(&b);
}

TEST(a_cache_of_every_dtype_is_stored_and_attended_to)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};
    both b = open_both();
    for (size_t i = 0; i < N_OF(dtypes); i++) {
        const int64_t rows = 1 + draw(&b, 3), first = i == 0 ? 0 : draw(&b, 40);
        EXPECT(&b, KV_STORE, kv_store, 0, .k_cache = mem[0], .v_cache = mem[1], .k = mem[2],
               .v = mem[3], .rows = rows, .first_pos = first, .max_pos = 60, .n_kv_heads = 2,
               .head_dim = 32, .cache_dtype = dtypes[i]);
        refill(&b);
        encode(mem[3], dtypes[i], 2 * 60, 32);
        encode(mem[4], dtypes[i], 2 * 60, 32);
        const ifn_args attend = {
            .attention = IFN_ARGS(attention, .out = mem[0], .q = mem[2], .k_cache = mem[3],
                                  .v_cache = mem[4], .rows = rows, .first_pos = first,
                                  .max_pos = 60, .n_heads = 4, .n_kv_heads = 2, .head_dim = 32,
                                  .scale = 0.2f, .cache_dtype = dtypes[i])};
        expect(&b, IFN_OP_ATTENTION, &attend, NEAR);
    }
    close_both(&b);
}

/* More than one block of keys; in two phases, and the bits of the call in one. */
TEST(attention_in_two_phases_has_the_bits_of_one)
{
    enum { KEYS = 600, DIM = 8, FLOATS = 4 * DIM };
    static float whole[FLOATS], merged[FLOATS];
    both b = open_both();
    refill(&b);
    ifn_args a = {.attention = IFN_ARGS(attention, .out = mem[0], .q = mem[2], .k_cache = mem[3],
                                        .v_cache = mem[4], .rows = 2, .first_pos = KEYS - 2,
                                        .max_pos = KEYS, .n_heads = 2, .n_kv_heads = 1,
                                        .head_dim = DIM, .scale = 0.5f, .partials = mem[5])};
    expect(&b, IFN_OP_ATTENTION, &a, NEAR);
    ifn_copy_out_args out =
        IFN_ARGS(copy_out, .host = whole, .x = b.d.place[0], .bytes = sizeof whole);
    refill(&b);
    all_in(&b.d);
    ifn_args there = moved(&b.d, IFN_OP_ATTENTION, &a);
    assert_int_equal(ifn_op_run(b.d.backend, IFN_OP_ATTENTION, &there.call), IFN_OK);
    assert_int_equal(ifn_copy_out(b.d.backend, &out), IFN_OK);
    all_in(&b.d);
    there.attention.phase = IFN_ATTENTION_PARTIALS;
    assert_int_equal(ifn_op_run(b.d.backend, IFN_OP_ATTENTION, &there.call), IFN_OK);
    there.attention.phase = IFN_ATTENTION_MERGE;
    assert_int_equal(ifn_op_run(b.d.backend, IFN_OP_ATTENTION, &there.call), IFN_OK);
    out.host = merged;
    assert_int_equal(ifn_copy_out(b.d.backend, &out), IFN_OK);
    assert_memory_equal(merged, whole, sizeof whole);
    close_both(&b);
}

TEST(an_id_that_is_out_of_range_is_refused_by_the_call_that_has_it)
{
    both b = open_both();
    fill_memory(5);
    const ifn_args call = call_of(IFN_OP_GATHER_ROWS);
    legal_ids[2] = 5;
    run_both(&b.d, b.scalar, IFN_OP_GATHER_ROWS, &call); /* on both, and nothing is written */
    const ifn_args there = moved(&b.d, IFN_OP_GATHER_ROWS, &call);
    assert_int_equal(ifn_op_run(b.d.backend, IFN_OP_GATHER_ROWS, &there.call), IFN_ERR_ARGUMENT);
    close_both(&b);
}

int main(void)
{
    return opencl_is_here() ? test_run(NULL) : TEST_NOT_RUN;
}
