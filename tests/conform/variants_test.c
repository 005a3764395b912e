/* The variants as backends: their results differ where the order of a sum matters, and nowhere else. */
#include "variants.h"

#include <inferno/quant.h>

#include <string.h>

#include "gen.h"
#include "test.h"

enum { ROWS = 3, K = 288, FEATURES = 20, HEADS = 4, KEYS = 300, DIM = 96 };

static const char *const names[] = {"reversed", "pairwise", "lanes4", "lanes8",
                                    "lanes16",  "fma",      "double"};

TEST(the_list_is_whole_and_names_find)
{
    assert_true(conform_variant_count() >= 8);
    for (size_t i = 0; i < N_OF(names); i++)
        assert_ptr_equal(conform_variant_find(names[i]), conform_variant_desc((int)i));
    for (int i = 0; i < conform_variant_count(); i++)
        assert_ptr_equal(conform_variant_find(conform_variant_desc(i)->name),
                         conform_variant_desc(i));
    assert_null(conform_variant_find("sequential"));
    assert_null(conform_variant_desc(-1));
    assert_null(conform_variant_desc(conform_variant_count()));
}

static ifn_backend *open_variant(int i)
{
    ifn_backend *backend;
    ifn_error err = {0};
    assert_ok(ifn_backend_open_desc(conform_variant_desc(i), NULL, NULL, NULL, &backend, &err),
              err);
    return backend;
}

TEST(each_implements_what_adds_up_and_inherits_the_rest)
{
    for (int i = 0; i < conform_variant_count(); i++) {
        ifn_backend *const backend = open_variant(i);
        int n = 0;
        for (int op = 0; op < IFN_OP_COUNT; op++)
            n += ifn_backend_implements(backend, (ifn_op)op);
        assert_int_equal(n, 7);
        assert_true(ifn_backend_implements(backend, IFN_OP_ATTENTION));
        assert_false(ifn_backend_implements(backend, IFN_OP_ADD));
        ifn_backend_close(backend);
    }
}

/* Inputs of every op, random or small integers. */
typedef struct inputs {
    float x[ROWS * K], w[FEATURES * K];
    float q[ROWS * HEADS * DIM], k[KEYS * DIM], v[KEYS * DIM];
    ifn_block_q8_32f x_q8[ROWS * K / 32];
    ifn_block_q8_0 w_q8[FEATURES * K / 32];
} inputs;

static void fill(float *out, size_t n, const char *name, int is_lattice)
{
    const conform_stream s = conform_stream_of(5, name);
    for (size_t i = 0; i < n; i++)
        out[i] = is_lattice ? (float)conform_integer(s, i, -8, 8) : conform_normal(s, i);
}

static inputs *fill_inputs(inputs *in, int is_lattice)
{
    const conform_stream s = conform_stream_of(6, "codes");
    fill(in->x, ROWS * K, "x", is_lattice);
    fill(in->w, FEATURES * K, "w", is_lattice);
    fill(in->q, ROWS * HEADS * DIM, "q", is_lattice);
    fill(in->k, KEYS * DIM, "k", is_lattice);
    fill(in->v, KEYS * DIM, "v", is_lattice);
    memset(in->x_q8, 0, sizeof in->x_q8);
    for (size_t b = 0; b < ROWS * K / 32; b++) {
        in->x_q8[b].d = is_lattice ? 0x1p-3f : 0.01f * (1 + (float)conform_uniform(s, b));
        for (size_t i = 0; i < 32; i++) {
            in->x_q8[b].qs[i] = (int8_t)conform_integer(s, 1000 + b * 32 + i, -30, 30);
            in->x_q8[b].s += in->x_q8[b].qs[i];
        }
    }
    for (size_t b = 0; b < FEATURES * K / 32; b++) {
        in->w_q8[b].d =
            is_lattice ? 0x3c00 : (uint16_t)conform_integer(s, 90000 + b, 0x2c00, 0x3400);
        for (size_t i = 0; i < 32; i++)
            in->w_q8[b].qs[i] = (int8_t)conform_integer(s, 100000 + b * 32 + i, -30, 30);
    }
    return in;
}

/* The outputs of every op that a variant implements, in one struct to compare bit by bit. */
typedef struct outputs {
    float matmul[FEATURES * FEATURES], squares_down[K], squares_along[ROWS], softmax[ROWS * K];
    float linear[ROWS * FEATURES], linear_q8[ROWS * FEATURES];
    float norm[ROWS * K], attention[ROWS * HEADS * DIM];
} outputs;

static void run_reductions(ifn_backend *b, const inputs *in, outputs *out)
{
    assert_int_equal(ifn_matmul(b, &IFN_ARGS(matmul, .out = out->matmul, .a = in->w, .b = in->w,
                                             .m = FEATURES, .n = K, .p = FEATURES)),
                     IFN_OK);
    assert_int_equal(
        ifn_sum_squares_axis(b, &IFN_ARGS(sum_squares_axis, .out = out->squares_down, .x = in->w,
                                          .rows = FEATURES, .cols = K, .axis = 0)),
        IFN_OK);
    assert_int_equal(
        ifn_sum_squares_axis(b, &IFN_ARGS(sum_squares_axis, .out = out->squares_along, .x = in->x,
                                          .rows = ROWS, .cols = K, .axis = 1)),
        IFN_OK);
    assert_int_equal(ifn_softmax_rows(b, &IFN_ARGS(softmax_rows, .out = out->softmax, .x = in->x,
                                                   .rows = ROWS, .cols = K)),
                     IFN_OK);
    assert_int_equal(
        ifn_rms_norm(b, &IFN_ARGS(rms_norm, .out = out->norm, .x = in->x, .weight = in->w,
                                  .rows = ROWS, .dim = K, .eps = 1e-5f)),
        IFN_OK);
}

static void run_linears(ifn_backend *b, const inputs *in, outputs *out, void *scratch, size_t bytes)
{
    const ifn_tensor w = {"w", in->w, IFN_DTYPE_F32, 2, {FEATURES, K}};
    const ifn_tensor w_q8 = {"w", in->w_q8, IFN_DTYPE_Q8_0, 2, {FEATURES, K}};
    ifn_linear_args l = IFN_ARGS(linear, .x = in->x, .rows = ROWS, .k = K, .x_stride = K, .n_w = 1,
                                 .w = {&w}, .out = {out->linear}, .out_stride = {FEATURES});
    ifn_linear_q8_args q =
        IFN_ARGS(linear_q8, .x = in->x_q8, .rows = ROWS, .k = K, .x_stride = K / 32, .n_w = 1,
                 .w = {&w_q8}, .out = {out->linear_q8}, .out_stride = {FEATURES});
    l.call.scratch = q.call.scratch = scratch;
    l.call.scratch_bytes = q.call.scratch_bytes = bytes;
    assert_int_equal(ifn_linear(b, &l), IFN_OK);
    assert_int_equal(ifn_linear_q8(b, &q), IFN_OK);
}

static void run_attention(ifn_backend *b, const inputs *in, outputs *out, void *scratch,
                          size_t bytes)
{
    ifn_attention_args a =
        IFN_ARGS(attention, .out = out->attention, .q = in->q, .k_cache = in->k, .v_cache = in->v,
                 .rows = ROWS, .first_pos = KEYS - ROWS, .max_pos = KEYS, .n_heads = HEADS,
                 .n_kv_heads = 1, .head_dim = DIM, .scale = 0.125f, .cache_dtype = IFN_DTYPE_F32);
    a.call.scratch = scratch;
    a.call.scratch_bytes = bytes;
    assert_int_equal(ifn_attention(b, &a), IFN_OK);
}

static void run_all(ifn_backend *b, const inputs *in, outputs *out)
{
    static char scratch[1 << 20];
    const ifn_limits limits = {.limits_bytes = sizeof limits,
                               .rows = ROWS,
                               .max_pos = KEYS,
                               .k = K,
                               .n = FEATURES,
                               .n_heads = HEADS,
                               .n_kv_heads = 1,
                               .head_dim = DIM};
    const size_t bytes = ifn_backend_scratch_bytes(b, &limits);
    assert_true(bytes <= sizeof scratch);
    memset(out, 0, sizeof *out);
    run_reductions(b, in, out);
    run_linears(b, in, out, scratch, bytes);
    run_attention(b, in, out, scratch, bytes);
}

static void run_scalar(const inputs *in, outputs *out)
{
    ifn_backend *scalar;
    ifn_error err = {0};
    assert_ok(ifn_backend_open("scalar", NULL, &scalar, &err), err);
    run_all(scalar, in, out);
    ifn_backend_close(scalar);
}

#define DIFFERS(a, b, member) (memcmp((a)->member, (b)->member, sizeof(a)->member) != 0)

TEST(random_inputs_show_the_order_of_every_op)
{
    static inputs in;
    static outputs scalar, other;
    run_scalar(fill_inputs(&in, 0), &scalar);
    for (int i = 0; i < conform_variant_count(); i++) {
        ifn_backend *const b = open_variant(i);
        run_all(b, &in, &other);
        assert_true(DIFFERS(&scalar, &other, matmul));
        assert_true(DIFFERS(&scalar, &other, squares_down));
        assert_true(DIFFERS(&scalar, &other, linear));
        assert_true(DIFFERS(&scalar, &other, linear_q8));
        assert_true(DIFFERS(&scalar, &other, attention));
        /* a plain sum has no product to fuse */
        if (strcmp(conform_variant_desc(i)->name, "fma") != 0)
            assert_true(DIFFERS(&scalar, &other, softmax));
        ifn_backend_close(b);
    }
}

TEST(exact_inputs_give_the_same_bits_in_every_order)
{
    static inputs in;
    static outputs scalar, other;
    run_scalar(fill_inputs(&in, 1), &scalar);
    for (int i = 0; i < conform_variant_count(); i++) {
        ifn_backend *const b = open_variant(i);
        run_all(b, &in, &other);
        assert_false(DIFFERS(&scalar, &other, matmul));
        assert_false(DIFFERS(&scalar, &other, squares_down));
        assert_false(DIFFERS(&scalar, &other, squares_along));
        assert_false(DIFFERS(&scalar, &other, linear));
        assert_false(DIFFERS(&scalar, &other, linear_q8));
        assert_false(DIFFERS(&scalar, &other, norm));
        ifn_backend_close(b);
    }
}

TEST(too_little_scratch_is_refused)
{
    static inputs in;
    static outputs out;
    char scratch[64];
    const ifn_tensor w = {"w", in.w, IFN_DTYPE_F32, 2, {FEATURES, K}};
    ifn_linear_args l = IFN_ARGS(linear, .x = in.x, .rows = 1, .k = K, .x_stride = K, .n_w = 1,
                                 .w = {&w}, .out = {out.linear}, .out_stride = {FEATURES});
    ifn_backend *const b = open_variant(0);
    l.call.scratch = scratch;
    l.call.scratch_bytes = sizeof scratch;
    assert_int_equal(ifn_linear(b, &l), IFN_ERR_ARGUMENT);
    ifn_backend_close(b);
}

TEST(what_makes_no_sense_is_refused)
{
    ifn_backend *const b = open_variant(0);
    assert_int_equal(ifn_matmul(b, &IFN_ARGS(matmul, .m = -1)), IFN_ERR_SHAPE);
    assert_int_equal(ifn_sum_squares_axis(b, &IFN_ARGS(sum_squares_axis, .rows = -1)),
                     IFN_ERR_SHAPE);
    assert_int_equal(ifn_softmax_rows(b, &IFN_ARGS(softmax_rows, .rows = -1)), IFN_ERR_SHAPE);
    assert_int_equal(ifn_rms_norm(b, &IFN_ARGS(rms_norm, .rows = -1)), IFN_ERR_SHAPE);
    assert_int_equal(ifn_linear(b, &IFN_ARGS(linear, .rows = -1)), IFN_ERR_SHAPE);
    assert_int_equal(ifn_linear_q8(b, &IFN_ARGS(linear_q8, .rows = -1)), IFN_ERR_SHAPE);
    assert_int_equal(ifn_attention(b, &IFN_ARGS(attention, .rows = -1)), IFN_ERR_SHAPE);
    ifn_backend_close(b);
}

/* A norm with blocks as output is the f32 norm encoded; the sum it hands on is x + add, or x. */
TEST(a_norm_may_be_in_blocks_and_hand_on_its_sum)
{
    static inputs in;
    static float norm[ROWS * K], sum[ROWS * K];
    static ifn_block_q8_32f blocks[ROWS * K / 32], expected[ROWS * K / 32];
    fill_inputs(&in, 0);
    for (int i = 0; i < conform_variant_count(); i++) {
        ifn_backend *const b = open_variant(i);
        for (int has_add = 0; has_add < 2; has_add++) {
            const float *const add = has_add ? in.w + K : NULL;
            assert_int_equal(
                ifn_rms_norm(b, &IFN_ARGS(rms_norm, .out = norm, .x = in.x, .add = add,
                                          .weight = in.w, .rows = ROWS, .dim = K, .eps = 1e-5f)),
                IFN_OK);
            assert_int_equal(
                ifn_rms_norm(b, &IFN_ARGS(rms_norm, .out = blocks, .sum = sum, .x = in.x,
                                          .add = add, .weight = in.w, .rows = ROWS, .dim = K,
                                          .eps = 1e-5f, .out_dtype = IFN_DTYPE_Q8_32F)),
                IFN_OK);
            for (int k = 0; k < ROWS * K; k++)
                assert_true(sum[k] == (add ? in.x[k] + add[k] : in.x[k]));
            assert_int_equal(ifn_quantize_row(IFN_DTYPE_Q8_32F, norm, expected, ROWS * K), IFN_OK);
            assert_memory_equal(blocks, expected, sizeof blocks);
        }
        ifn_backend_close(b);
    }
}

/* --- with declared arithmetic --- */

static ifn_backend *open_declared(int i, uint32_t format)
{
    conform_arithmetics declared = {0};
    ifn_backend *backend;
    ifn_error err = {0};
    for (int at = 0; at < IFN_OP_COUNT * IFN_DTYPE_COUNT; at++)
        declared.of[at / IFN_DTYPE_COUNT][at % IFN_DTYPE_COUNT].inputs = format;
    assert_ok(conform_variant_open(i, &declared, NULL, &backend, &err), err);
    return backend;
}

/* Returns the largest difference between this variant's product of one row and that of the plain variant. */
static double difference(uint32_t format, int i)
{
    enum { N = 64 };
    const conform_stream s = conform_stream_of(8, "product");
    float a[N], b[N], want, got;
    for (uint64_t j = 0; j < N; j++) {
        a[j] = conform_normal(s, j);
        b[j] = conform_normal(s, N + j);
    }
    ifn_matmul_args args = {.m = 1, .n = N, .p = 1, .a = a, .b = b, .out = &want};
    args.call.bytes = sizeof args;
    ifn_backend *const plain = open_variant(i % conform_variant_count());
    ifn_backend *const rounded = open_declared(i, format);
    assert_int_equal(ifn_matmul(plain, &args), IFN_OK);
    args.out = &got;
    assert_int_equal(ifn_matmul(rounded, &args), IFN_OK);
    ifn_backend_close(plain);
    ifn_backend_close(rounded);
    return (double)got - (double)want;
}

TEST(what_is_declared_is_done_and_each_index_rounds_otherwise)
{
    const int n = conform_variant_count();
    for (int i = 0; i < 2 * n; i++) {
        const double bf16 = difference(IFN_ROUND_BF16, i), tf32 = difference(IFN_ROUND_TF32, i);
        assert_that(bf16 != 0 && bf16 > -0.5 && bf16 < 0.5, "%d: %g", i, bf16);
        assert_that(tf32 != 0 && tf32 > -0.06 && tf32 < 0.06, "%d: %g", i, tf32);
    }
    assert_true(difference(IFN_ROUND_BF16, 0) != difference(IFN_ROUND_BF16, n));
}

TEST(without_a_declaration_a_variant_is_as_it_is)
{
    ifn_backend *backend;
    ifn_error err = {0};
    assert_true(difference(IFN_ROUND_NONE, 3) == 0);
    assert_int_equal(conform_variant_open(conform_variant_count(), NULL, NULL, &backend, &err),
                     IFN_ERR_ARGUMENT);
    assert_int_equal(conform_variant_open(-1, NULL, NULL, &backend, &err), IFN_ERR_ARGUMENT);
}
