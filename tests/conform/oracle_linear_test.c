#include <math.h>
#include <string.h>

#include "blocks.h"
#include "bounds.h"
#include "fuzz.h"

static void choose(fuzz *f)
{
    static const ifn_dtype dtypes[] = {
        IFN_DTYPE_F32,  IFN_DTYPE_F16,  IFN_DTYPE_BF16, IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_0,
        IFN_DTYPE_Q4_1, IFN_DTYPE_Q5_0, IFN_DTYPE_Q5_1, IFN_DTYPE_Q2_K, IFN_DTYPE_Q3_K,
        IFN_DTYPE_Q4_K, IFN_DTYPE_Q5_K, IFN_DTYPE_Q6_K};
    const int is_q8 = f->c.op == IFN_OP_LINEAR_Q8;
    f->c.dtype = dtypes[is_q8 ? 3 + fuzz_size(f, 0, 9) : fuzz_size(f, 0, 12)];
    const int64_t block = ifn_dtype_block_elements(f->c.dtype);
    const int64_t k =
        block == 1 ? fuzz_size(f, 0, 300) : block * fuzz_size(f, 0, block == 32 ? 12 : 3);
    const int64_t dims[] = {fuzz_size(f, 0, 3),          fuzz_size(f, 0, 5),    k,
                            FUZZ_PICK(f, 1, 1, 1, 2, 4), FUZZ_PICK(f, 0, 0, 3), fuzz_size(f, 0, 1)};
    memcpy(f->c.dim, dims, sizeof dims);
}

static void run(ifn_op op)
{
    fuzz f;
    fuzz_open(&f, op);
    while (fuzz_next(&f, 2000)) {
        choose(&f);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

TEST(honest_linear_passes)
{
    run(IFN_OP_LINEAR);
}

TEST(honest_linear_q8_passes)
{
    run(IFN_OP_LINEAR_Q8);
}

/* --- closed forms --- */

/* Begins a case of one row; the test overwrites w and x before it takes the truth. */
static void judge_by_hand(fuzz *f, ifn_op op, ifn_dtype dtype, int64_t k, int bias)
{
    const int64_t dims[] = {1, 1, k, 1, 0, bias};
    fuzz_open(f, op);
    f->c = (conform_case){.op = op, .dtype = dtype, .tier = TIER_T1, .family = FAMILY_NORMAL};
    memcpy(f->c.dim, dims, sizeof dims);
    assert_true(fuzz_begin(f));
}

static void close_by_hand(fuzz *f)
{
    fuzz_end(f);
    ifn_backend_close(f->backend);
    conform_pool_fini(&f->pool);
}

static const conform_truth *truth_of(fuzz *f, conform_declared declared)
{
    declared.exp_eps = 4 * U;
    f->module->truth(&f->c, &f->l, f->data, &declared, &f->pool, f->truth);
    return &f->truth[conform_tensor_index(&f->l, "out_0")];
}

TEST(floats_are_judged_as_a_matmul)
{
    fuzz f;
    judge_by_hand(&f, IFN_OP_LINEAR, IFN_DTYPE_F32, 3, 1);
    memcpy(fuzz_floats(&f, "x"), (float[]){1, -2, 3}, 12);
    memcpy(fuzz_floats(&f, "w_0"), (float[]){10, 20, -30}, 12);
    *fuzz_floats(&f, "bias_0") = 5;
    const conform_truth *t = truth_of(&f, (conform_declared){0});
    assert_true(t->want[0] == 10 - 40 - 90 + 5);
    /* A = 145, h = 3 terms and the bias; three products may underflow */
    const double bound = (conform_gamma(4) * 145 + 3 * SMIN) * CONFORM_WIDEN;
    assert_true(fabs(t->bound[0] - bound) <= bound * 1e-12);
    close_by_hand(&f);
}

/* Writes a block of Q4_1 with d = 2, m = -3 and codes 5, except for a first code of 1: 31 weights of 7 and one of
 * -1. */
static void put_q4_1(fuzz *f)
{
    ifn_block_q4_1 *w = f->data[conform_tensor_index(&f->l, "w_0")];
    w->d = 0x4000;
    w->m = 0xc200;
    memset(w->qs, 0x55, sizeof w->qs);
    w->qs[0] = 0x51;
}

TEST(a_minimum_counts_in_magnitude_depth_and_floor)
{
    fuzz f;
    judge_by_hand(&f, IFN_OP_LINEAR, IFN_DTYPE_Q4_1, 32, 0);
    put_q4_1(&f);
    for (int i = 0; i < 32; i++)
        fuzz_floats(&f, "x")[i] = i ? 1 : -1;
    const conform_truth *t = truth_of(&f, (conform_declared){0});
    assert_true(t->want[0] == 31 * 7 + 1);
    const double a = 31 * 13 + 5, floors = 31 * (3.0 * 2 * 6 + 4 * 2) + 3.0 * 2 * 2 + 4 * 2;
    const double bound = (conform_gamma(32 + 2 + 1) * a + floors * SMIN) * CONFORM_WIDEN;
    assert_true(fabs(t->bound[0] - bound) <= bound * 1e-12);
    close_by_hand(&f);
}

/* With an infinite scale, a kernel that decodes each code computes inf * 0; one that sums codes first does not
 * (numerics 8). Both are allowed. */
TEST(of_an_infinite_scale_nothing_finite_comes)
{
    for (int is_finite = 0; is_finite < 2; is_finite++) {
        fuzz f;
        judge_by_hand(&f, IFN_OP_LINEAR, IFN_DTYPE_Q4_1, 32, 0);
        put_q4_1(&f);
        ifn_block_q4_1 *w = f.data[conform_tensor_index(&f.l, "w_0")];
        w->d = is_finite ? 0x4000 : 0xfc00;
        w->qs[0] = 0x10; /* codes 0 and 1 */
        for (int i = 0; i < 32; i++)
            fuzz_floats(&f, "x")[i] = i % 2 ? 0 : 1;
        const conform_truth *t = truth_of(&f, (conform_declared){0});
        assert_int_equal(t->skip[0], is_finite ? SKIP_NOT : SKIP_INFINITE);
        close_by_hand(&f);
    }
}

TEST(a_group_of_integers_rounds_once)
{
    fuzz f;
    judge_by_hand(&f, IFN_OP_LINEAR_Q8, IFN_DTYPE_Q4_1, 32, 0);
    put_q4_1(&f);
    ifn_block_q8_32f *x = f.data[0];
    memset(x->qs, 1, sizeof x->qs);
    x->qs[0] = -4;
    x->d = 0.5f;
    x->s = 27;
    const conform_truth *t = truth_of(&f, (conform_declared){0});
    assert_true(t->want[0] == 0.5 * (31 * 7 + 4));
    /* M = 0.5 (2 (31*5 + 4) + 3 (31 + 4)), I = 32 + (31*5 + 4) + (31 + 4), h = 1*2 + 8 */
    const double bound =
        (conform_gamma(10) * 0.5 * (2 * 159 + 3 * 35) + SMIN * (32 + 159 + 35)) * CONFORM_WIDEN;
    assert_true(fabs(t->bound[0] - bound) <= bound * 1e-12);
    close_by_hand(&f);
}

TEST(a_split_offset_and_a_declared_depth_move_the_bound)
{
    fuzz f;
    judge_by_hand(&f, IFN_OP_LINEAR, IFN_DTYPE_Q4_0, 64, 0);
    const double strict = truth_of(&f, (conform_declared){0})->bound[0];
    const double split = truth_of(&f, (conform_declared){.offset_split = 1})->bound[0];
    const double shallow = truth_of(&f, (conform_declared){.depth = 8})->bound[0];
    assert_true(split > strict && shallow < strict / 5);
    close_by_hand(&f);
}

/* Q8_0 has signed codes, so no offset can be split off (numerics 9). */
TEST(a_split_offset_moves_nothing_where_the_format_has_none)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F16, IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_1};
    for (size_t i = 0; i < N_OF(dtypes); i++) {
        fuzz f;
        judge_by_hand(&f, IFN_OP_LINEAR, dtypes[i], 64, 0);
        const double strict = truth_of(&f, (conform_declared){0})->bound[0];
        assert_true(truth_of(&f, (conform_declared){.offset_split = 1})->bound[0] == strict);
        close_by_hand(&f);
    }
}

/* --- planted faults --- */

static void choose_some(fuzz *f)
{
    choose(f);
    const int64_t block = ifn_dtype_block_elements(f->c.dtype);
    const int64_t dims[] = {2, 3, block == 256 ? 512 : 256, 1, 0, 0};
    memcpy(f->c.dim, dims, sizeof dims);
}

static void drop_the_last_term(fuzz *f)
{
    const conform_tensor *t = &f->l.t[0];
    if (f->c.op == IFN_OP_LINEAR)
        for (int64_t r = 0; r < t->rows; r++)
            ((float *)f->data[0])[r * t->stride + t->cols - 1] = 0;
    else
        for (int64_t r = 0; r < t->rows; r++) {
            ifn_block_q8_32f *last = (ifn_block_q8_32f *)f->data[0] + (r + 1) * t->stride - 1;
            last->s -= last->qs[31];
            last->qs[31] = 0;
        }
    fuzz_run(f);
}

static void swap_two_lanes(fuzz *f)
{
    float *x = fuzz_floats(f, "x");
    for (int64_t r = 0; r < f->l.t[0].rows; r++, x += f->l.t[0].stride) {
        const float first = x[0];
        x[0] = x[1];
        x[1] = first;
    }
    fuzz_run(f);
}

static void round_x_to_bf16(fuzz *f)
{
    float *x = fuzz_floats(f, "x");
    for (int64_t i = 0; i < f->l.t[0].rows * f->l.t[0].stride; i++)
        x[i] = (float)conform_bf16_value(conform_bf16_nearest((double)x[i]));
    fuzz_run(f);
}

static void choose_bias(fuzz *f)
{
    choose_some(f);
    f->c.dim[5] = 1;
}

static void forget_the_bias(fuzz *f)
{
    memset(f->call.args.linear.bias, 0, sizeof f->call.args.linear.bias);
    fuzz_run(f);
}

TEST(a_dropped_term_is_caught_in_t0_and_t2)
{
    for (ifn_op op = IFN_OP_LINEAR; op <= IFN_OP_LINEAR_Q8; op++) {
        assert_int_equal(
            fuzz_caught(op, TIER_T0, FAMILY_LATTICE, 50, choose_some, drop_the_last_term), 100);
        assert_true(fuzz_caught(op, TIER_T2, FAMILY_NORMAL, 50, choose_some, drop_the_last_term) >=
                    90);
    }
}

TEST(wrong_lanes_precision_and_bias_are_caught)
{
    assert_true(
        fuzz_caught(IFN_OP_LINEAR, TIER_T0, FAMILY_LATTICE, 50, choose_some, swap_two_lanes) >= 90);
    assert_true(
        fuzz_caught(IFN_OP_LINEAR, TIER_T2, FAMILY_NORMAL, 50, choose_some, swap_two_lanes) >= 90);
    assert_true(
        fuzz_caught(IFN_OP_LINEAR, TIER_T2, FAMILY_NORMAL, 50, choose_some, round_x_to_bf16) >= 90);
    /* a one-hot x has nothing to round: that is half of the cases */
    const int hot =
        fuzz_caught(IFN_OP_LINEAR, TIER_T0, FAMILY_ONE_HOT, 60, choose_some, round_x_to_bf16);
    assert_true(hot >= 30 && hot <= 70);
    assert_int_equal(
        fuzz_caught(IFN_OP_LINEAR, TIER_T0, FAMILY_LATTICE, 50, choose_bias, forget_the_bias), 100);
}

/* --- kernels of our own: linear_q8 by groups --- */

typedef enum q8_fault { Q8_HONEST, Q8_SCALES_IN_F16, Q8_NO_MINIMUM, Q8_NEXT_SCALE } q8_fault;

static float scale_of(conform_code w, q8_fault fault)
{
    const double scale = w.d * w.sc;
    return (float)(fault == Q8_SCALES_IN_F16 ? conform_f16_value(conform_f16_nearest(scale))
                                             : scale);
}

/* Sums groups in descending order, multiplies by the scale of the weights first, and keeps minima in a sum of their
 * own. */
static float dot(const fuzz *f, const void *w, const ifn_block_q8_32f *x, q8_fault fault)
{
    const conform_limits limits = conform_limits_of(f->c.dtype);
    float sum = 0, minima = 0;
    for (int64_t j = f->c.dim[2] - limits.group; j >= 0; j -= limits.group) {
        float products = 0, codes = 0;
        const conform_code first = conform_code_at(f->c.dtype, w, j);
        const conform_code scaled = conform_code_at(
            f->c.dtype, w, fault == Q8_NEXT_SCALE ? (j + limits.group) % f->c.dim[2] : j);
        for (int i = limits.group; i-- > 0;) {
            const float q = x[j / 32].qs[j % 32 + i];
            products += (float)conform_code_at(f->c.dtype, w, j + i).c * q;
            codes += q;
        }
        sum += x[j / 32].d * scale_of(scaled, fault) * products;
        minima += x[j / 32].d * (float)(first.dmin * first.m) * codes;
    }
    return limits.has_min && fault != Q8_NO_MINIMUM ? sum - minima : sum;
}

static void multiply(fuzz *f, q8_fault fault)
{
    const ifn_linear_q8_args *a = &f->call.args.linear_q8;
    const size_t row_bytes = ifn_dtype_row_bytes(f->c.dtype, a->k);
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t n = 0; n < a->w[0]->shape[0]; n++)
            a->out[0][r * a->out_stride[0] + n] =
                dot(f, (const char *)a->w[0]->data + (size_t)n * row_bytes, a->x + r * a->x_stride,
                    fault);
}

static void honest_groups(fuzz *f)
{
    multiply(f, Q8_HONEST);
}

static void scales_in_f16(fuzz *f)
{
    multiply(f, Q8_SCALES_IN_F16);
}

static void no_minimum(fuzz *f)
{
    multiply(f, Q8_NO_MINIMUM);
}

static void next_scale(fuzz *f)
{
    multiply(f, Q8_NEXT_SCALE);
}

static void choose_k_quants(fuzz *f)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_Q2_K, IFN_DTYPE_Q3_K, IFN_DTYPE_Q4_K,
                                       IFN_DTYPE_Q5_K, IFN_DTYPE_Q6_K};
    const int64_t dims[] = {1, 4, 2048, 1, 0, 0};
    f->c.dtype = dtypes[f->n % N_OF(dtypes)];
    memcpy(f->c.dim, dims, sizeof dims);
}

static void choose_minima(fuzz *f)
{
    const int64_t dims[] = {1, 4, 512, 1, 0, 0};
    f->c.dtype = f->n % 2 ? IFN_DTYPE_Q4_K : IFN_DTYPE_Q5_1;
    memcpy(f->c.dim, dims, sizeof dims);
}

TEST(a_kernel_with_another_order_passes)
{
    for (conform_family family = FAMILY_LATTICE; family <= FAMILY_SCALE_PROBE; family++) {
        const conform_tier tier = family <= FAMILY_ONE_HOT ? TIER_T0 : TIER_T1;
        assert_int_equal(
            fuzz_caught(IFN_OP_LINEAR_Q8, tier, family, 40, choose_some, honest_groups), 0);
    }
    assert_int_equal(
        fuzz_caught(IFN_OP_LINEAR_Q8, TIER_T2, FAMILY_NORMAL, 200, choose_some, honest_groups), 0);
}

TEST(scales_rounded_to_f16_are_caught_by_the_probe)
{
    assert_true(fuzz_caught(IFN_OP_LINEAR_Q8, TIER_T1, FAMILY_SCALE_PROBE, 50, choose_k_quants,
                            scales_in_f16) >= 90);
}

TEST(a_missing_minimum_and_shifted_scales_are_caught)
{
    assert_true(
        fuzz_caught(IFN_OP_LINEAR_Q8, TIER_T2, FAMILY_NORMAL, 50, choose_minima, no_minimum) >= 90);
    assert_true(fuzz_caught(IFN_OP_LINEAR_Q8, TIER_T0, FAMILY_LATTICE, 50, choose_k_quants,
                            next_scale) >= 90);
    assert_true(fuzz_caught(IFN_OP_LINEAR_Q8, TIER_T2, FAMILY_NORMAL, 50, choose_k_quants,
                            next_scale) >= 90);
}
