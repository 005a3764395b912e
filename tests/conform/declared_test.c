#include "declared.h"

#include <string.h>

#include "bounds.h"
#include "test.h"
#include "tested.h"

static int64_t half(ifn_op op, ifn_dtype dtype, int64_t k)
{
    (void)op;
    (void)dtype;
    return k / 2;
}

static int64_t twice(ifn_op op, ifn_dtype dtype, int64_t k)
{
    (void)op;
    (void)dtype;
    return 2 * k;
}

static int refuses_q4_k(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype)
{
    return ((op == IFN_OP_LINEAR || op == IFN_OP_QUANTIZE_ROWS) && dtype == IFN_DTYPE_Q4_K) ||
           (op == IFN_OP_RMS_NORM && out_dtype == IFN_DTYPE_Q8_32F);
}

static ifn_status multiply(ifn_backend *self, const ifn_matmul_args *a)
{
    return ifn_matmul(self->base, a);
}

static ifn_status product(ifn_backend *self, const ifn_linear_args *a)
{
    return ifn_linear(self->base, a);
}

static ifn_status encode(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return ifn_quantize_rows(self->base, a);
}

static void fill(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->matmul = multiply;
    table->linear = product;
    table->quantize_rows = encode;
}

static ifn_backend *with(const ifn_manifest *manifest)
{
    const ifn_backend_desc desc = {IFN_BACKEND_STAMP, .name = "declares", .summary = "",
                                   .fill = fill, .manifest = manifest};
    ifn_backend *out;
    ifn_error err;
    assert_ok(ifn_backend_open_desc(&desc, NULL, "", NULL, &out, &err), err);
    return out;
}

static void bf16_of_f32(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    out->inputs = op != IFN_OP_LINEAR || dtype == IFN_DTYPE_F32 ? IFN_ROUND_BF16 : IFN_ROUND_NONE;
}

static const conform_case q4_k = {.op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_Q4_K};
static const conform_case matmul = {.op = IFN_OP_MATMUL, .dim = {2, 100, 3}};

TEST(without_a_manifest_everything_is_strict)
{
    ifn_backend *b = with(NULL);
    const conform_declared d = conform_declared_of(b, &matmul);
    assert_false(conform_declared_differ(&d));
    assert_true(d.depth == 0 && d.exp_eps == 4 * U && d.rsqrt_rel == 2 * U);
    assert_false(conform_is_invariant(b, IFN_OP_MATMUL, 4));
    assert_false(conform_is_unsupported(b, &q4_k));
    ifn_backend_close(b);
}

TEST(a_depth_may_tighten_and_never_loosen)
{
    ifn_manifest m = {.manifest_bytes = sizeof m, .depth = half};
    ifn_backend *b = with(&m);
    conform_declared d = conform_declared_of(b, &matmul);
    assert_int_equal(d.depth, 50);
    assert_true(conform_declared_differ(&d));
    m.depth = twice;
    d = conform_declared_of(b, &matmul);
    assert_int_equal(d.depth, 0);
    assert_false(conform_declared_differ(&d));
    ifn_backend_close(b);
}

TEST(other_declarations_count_as_they_are)
{
    const ifn_manifest m = {.manifest_bytes = sizeof m,
                            .exp_ulp = 4,
                            .rsqrt_rel = 0x1p-22f,
                            .ftz = 1,
                            .offset_split = 1,
                            .rope_angle_f32 = 1,
                            .invariances = 1u << 4,
                            .unsupported = refuses_q4_k};
    ifn_backend *b = with(&m);
    const conform_declared d = conform_declared_of(b, &matmul);
    assert_true(d.exp_eps == 8 * U && d.rsqrt_rel == 4 * U);
    assert_true(d.ftz && d.offset_split && d.rope_angle_f32);
    assert_true(conform_is_invariant(b, IFN_OP_MATMUL, 4));
    assert_false(conform_is_invariant(b, IFN_OP_MATMUL, 1));
    assert_true(conform_is_unsupported(b, &q4_k));
    ifn_backend_close(b);
}

/* The base computes an inherited op: the plugin's declarations do not apply to it. */
TEST(declarations_are_of_who_implements_the_op)
{
    const ifn_manifest m = {.manifest_bytes = sizeof m, .ftz = 1};
    const conform_case add = {.op = IFN_OP_ADD, .dim = {5}};
    ifn_backend *b = with(&m);
    const conform_declared d = conform_declared_of(b, &add);
    assert_false(d.ftz);
    ifn_backend_close(b);
}

static int64_t declared_now; /* what `as_told` declares */

static int64_t as_told(ifn_op op, ifn_dtype dtype, int64_t k)
{
    (void)op;
    (void)dtype;
    (void)k;
    return declared_now;
}

static ifn_status product_q8(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return ifn_linear_q8(self->base, a);
}

static void fill_q8(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->linear_q8 = product_q8;
}

/* numerics 8.1: a group of weights has one rounding, and one more if it has a minimum. A declared depth tightens the
 * bound only if it is below that sum. */
TEST(linear_q8_counts_groups)
{
    static const struct {
        ifn_dtype dtype;
        int64_t depth; /* of k = 512 */
    } defaults[] = {
        {IFN_DTYPE_Q8_0, 16 + 8}, {IFN_DTYPE_Q4_0, 16 + 8}, {IFN_DTYPE_Q5_0, 16 + 8},
        {IFN_DTYPE_Q4_1, 32 + 8}, {IFN_DTYPE_Q5_1, 32 + 8}, {IFN_DTYPE_Q4_K, 32 + 8},
        {IFN_DTYPE_Q5_K, 32 + 8}, {IFN_DTYPE_Q3_K, 32 + 8}, {IFN_DTYPE_Q6_K, 32 + 8},
        {IFN_DTYPE_Q2_K, 64 + 8},
    };
    const ifn_manifest m = {.manifest_bytes = sizeof m, .depth = as_told};
    const ifn_backend_desc desc = {IFN_BACKEND_STAMP, .name = "declares", .summary = "",
                                   .fill = fill_q8, .manifest = &m};
    ifn_backend *b;
    ifn_error err;
    conform_case c = {.op = IFN_OP_LINEAR_Q8};
    const conform_module *module = conform_module_of(c.op);
    for (int i = 0; i < CONFORM_MAX_DIMS && module->dim_names[i]; i++)
        c.dim[i] = strcmp(module->dim_names[i], "k") == 0 ? 512 : 2;
    assert_ok(ifn_backend_open_desc(&desc, NULL, "", NULL, &b, &err), err);
    for (size_t i = 0; i < N_OF(defaults); i++) {
        c.dtype = defaults[i].dtype;
        declared_now = defaults[i].depth;
        assert_int_equal(conform_declared_of(b, &c).depth, 0);
        declared_now--;
        assert_int_equal(conform_declared_of(b, &c).depth, declared_now);
    }
    ifn_backend_close(b);
}

TEST(any_one_declaration_differs)
{
    const ifn_manifest each[] = {
        {.manifest_bytes = sizeof *each, .exp_ulp = 3},
        {.manifest_bytes = sizeof *each, .rsqrt_rel = 3 * U},
        {.manifest_bytes = sizeof *each, .offset_split = 1},
        {.manifest_bytes = sizeof *each, .ftz = 1},
        {.manifest_bytes = sizeof *each, .rope_angle_f32 = 1},
    };
    for (size_t i = 0; i < N_OF(each); i++) {
        ifn_backend *b = with(&each[i]);
        const conform_declared d = conform_declared_of(b, &matmul);
        assert_true(conform_declared_differ(&d));
        ifn_backend_close(b);
    }
}

static int64_t half_of_q4_k(ifn_op op, ifn_dtype dtype, int64_t k)
{
    return op == IFN_OP_LINEAR && dtype == IFN_DTYPE_Q4_K ? k / 2 : k;
}

/* Each weight of a call has the depth and the refusals of its own dtype. */
TEST(mixed_weights_have_declarations_of_their_own)
{
    const conform_case c = {.op = IFN_OP_LINEAR,
                            .dtype = IFN_DTYPE_Q6_K,
                            .n_more = 2,
                            .more = {IFN_DTYPE_Q4_K, IFN_DTYPE_Q6_K},
                            .dim = {2, 3, 512, 3, 0, 0}};
    const ifn_manifest m = {
        .manifest_bytes = sizeof m, .depth = half_of_q4_k, .unsupported = refuses_q4_k};
    ifn_backend *b = with(&m);
    const conform_declared d = conform_declared_of(b, &c);
    assert_int_equal(d.depth, 0);
    assert_int_equal(d.more_depth[0], 256);
    assert_int_equal(d.more_depth[1], 0);
    assert_true(conform_declared_differ(&d));
    assert_true(conform_is_unsupported(b, &c));
    ifn_backend_close(b);
}

TEST(a_quantizer_refuses_by_the_dtype_of_its_output)
{
    static const ifn_manifest m = {.manifest_bytes = sizeof m, .unsupported = refuses_q4_k};
    ifn_backend *const b = with(&m);
    conform_case c = {.op = IFN_OP_QUANTIZE_ROWS, .out_dtype = IFN_DTYPE_Q4_K};
    assert_true(conform_is_unsupported(b, &c));
    c.out_dtype = IFN_DTYPE_Q5_K;
    assert_false(conform_is_unsupported(b, &c));
    ifn_backend_close(b);
}

static int refuses_blocks(ifn_op op, ifn_dtype dtype, ifn_dtype out_dtype)
{
    (void)op;
    return dtype == IFN_DTYPE_Q8_0 || out_dtype == IFN_DTYPE_Q8_32F || (int)dtype == 255;
}

/* A call that must be refused need not have the dtypes of its case: the dtypes of the call count. */
TEST(a_call_is_unsupported_by_the_dtypes_it_has)
{
    static const ifn_manifest m = {.manifest_bytes = sizeof m, .unsupported = refuses_blocks};
    ifn_backend *const b = with(&m);
    conform_call call = {0};
    call.args.quantize_rows.out_dtype = IFN_DTYPE_F16;
    assert_false(conform_is_unsupported_call(b, IFN_OP_QUANTIZE_ROWS, &call));
    call.args.quantize_rows.out_dtype = IFN_DTYPE_Q8_32F;
    assert_true(conform_is_unsupported_call(b, IFN_OP_QUANTIZE_ROWS, &call));
    const ifn_tensor known = {.dtype = IFN_DTYPE_F16}, unknown = {.dtype = (ifn_dtype)255};
    call = (conform_call){0};
    call.args.linear.n_w = 2;
    call.args.linear.w[0] = call.args.linear.w[1] = &known;
    assert_false(conform_is_unsupported_call(b, IFN_OP_LINEAR, &call));
    call.args.linear.w[1] = &unknown;
    assert_true(conform_is_unsupported_call(b, IFN_OP_LINEAR, &call));
    ifn_backend_close(b);
}

TEST(sums_of_64_terms_are_long)
{
    const conform_case linear = {.op = IFN_OP_LINEAR, .dim = {2, 3, 64, 1, 0, 0}},
                       attention = {.op = IFN_OP_ATTENTION, .dim = {1, 0, 0, 1, 1, 64}},
                       add = {.op = IFN_OP_ADD, .dim = {500}};
    conform_case shorter = linear;
    shorter.dim[2] = 63;
    assert_true(conform_sum_is_long(&linear));
    assert_true(conform_sum_is_long(&attention));
    assert_false(conform_sum_is_long(&shorter));
    assert_false(conform_sum_is_long(&add));
}

TEST(reductions_know_their_length)
{
    const conform_case linear = {.op = IFN_OP_LINEAR, .dim = {2, 3, 64, 1, 0, 0}},
                       softmax = {.op = IFN_OP_SOFTMAX_ROWS, .dim = {3, 70}},
                       add = {.op = IFN_OP_ADD, .dim = {5}};
    assert_int_equal(conform_reduction_length(&matmul), 100);
    assert_int_equal(conform_reduction_length(&softmax), 70);
    assert_false(conform_sum_is_long(&softmax)); /* the exponentials make most of its bound */
    assert_int_equal(conform_reduction_length(&linear), 64);
    assert_int_equal(conform_reduction_length(&add), 0);
}

TEST(arithmetic_is_declared_by_op_and_dtype)
{
    const ifn_manifest m = {.manifest_bytes = sizeof m, .arithmetic = bf16_of_f32};
    const conform_case mixed = {
        .op = IFN_OP_LINEAR, .dtype = IFN_DTYPE_Q8_0, .n_more = 1, .more = {IFN_DTYPE_F32}};
    const conform_case norm = {.op = IFN_OP_RMS_NORM}, attention = {.op = IFN_OP_ATTENTION};
    ifn_backend *b = with(&m);
    conform_declared d = conform_declared_of(b, &matmul);
    assert_int_equal(d.arithmetic.inputs, IFN_ROUND_BF16);
    assert_true(conform_declared_differ(&d));
    d = conform_declared_of(b, &mixed); /* weights beyond the named ones are like the first */
    assert_int_equal(d.arithmetic.inputs, IFN_ROUND_NONE);
    assert_int_equal(d.more_arithmetic[0].inputs, IFN_ROUND_BF16);
    assert_int_equal(d.more_arithmetic[1].inputs, IFN_ROUND_NONE);
    assert_true(conform_declared_differ(&d));
    d = conform_declared_of(b, &attention); /* inherited: its base declares nothing */
    assert_false(conform_declared_differ(&d));
    d = conform_declared_of(b, &norm); /* has no products of two inputs, or is not asked for them */
    assert_false(conform_declared_differ(&d));
    ifn_backend_close(b);
}

static ifn_status attend(ifn_backend *self, const ifn_attention_args *a)
{
    return ifn_attention(self->base, a);
}

static void fill_attention(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->attention = attend;
}

static void half_everywhere(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    (void)op;
    (void)dtype;
    *out = (ifn_arithmetic){out->arithmetic_bytes, IFN_ROUND_F16, IFN_ROUND_F16, 32, IFN_ROUND_F16};
}

TEST(attention_adds_in_f32_whatever_is_declared)
{
    const ifn_manifest m = {.manifest_bytes = sizeof m, .arithmetic = half_everywhere};
    const ifn_backend_desc desc = {IFN_BACKEND_STAMP, .name = "halves", .summary = "",
                                   .fill = fill_attention, .manifest = &m};
    const conform_case attention = {.op = IFN_OP_ATTENTION, .dtype = IFN_DTYPE_F16};
    ifn_backend *b;
    ifn_error err;
    assert_ok(ifn_backend_open_desc(&desc, NULL, "", NULL, &b, &err), err);
    const ifn_arithmetic a = conform_declared_of(b, &attention).arithmetic;
    assert_true(a.inputs == IFN_ROUND_F16 && a.output == IFN_ROUND_F16);
    assert_true(a.sums == IFN_ROUND_NONE && a.sum_block == 0);
    ifn_backend_close(b);
}
