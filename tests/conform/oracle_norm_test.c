#include <math.h>
#include <string.h>

#include "blocks.h"
#include "bounds.h"
#include "fuzz.h"

TEST(honest_softmax_passes)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_SOFTMAX_ROWS);
    while (fuzz_next(&f, 2000)) {
        f.c.dim[0] = fuzz_size(&f, 0, 4);
        f.c.dim[1] = fuzz_size(&f, 0, FUZZ_PICK(&f, 5, 40, 300));
        f.c.alias = (int32_t)fuzz_size(&f, 0, 1);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

static ifn_dtype choose_out(fuzz *f)
{
    return FUZZ_PICK(f, 0, 1) ? IFN_DTYPE_F32 : IFN_DTYPE_Q8_32F;
}

static int64_t choose_dim(fuzz *f, int64_t low)
{
    return f->c.out_dtype == IFN_DTYPE_F32 ? fuzz_size(f, low, FUZZ_PICK(f, 5, 40, 300))
                                           : 32 * fuzz_size(f, low, 5);
}

TEST(honest_rms_norm_passes)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_RMS_NORM);
    while (fuzz_next(&f, 2000)) {
        f.c.out_dtype = choose_out(&f);
        const int64_t dims[] = {fuzz_size(&f, 0, 4), choose_dim(&f, 1), fuzz_size(&f, 0, 3),
                                FUZZ_PICK(&f, 0, 5, 6)};
        memcpy(f.c.dim, dims, sizeof dims);
        f.c.alias = (int32_t)fuzz_size(&f, 0, 3);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

TEST(honest_swiglu_passes)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_SWIGLU);
    while (fuzz_next(&f, 2000)) {
        f.c.out_dtype = choose_out(&f);
        f.c.dim[0] = fuzz_size(&f, 0, 4);
        f.c.dim[1] = choose_dim(&f, 0);
        f.c.alias = (int32_t)fuzz_size(&f, 0, 2);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

/* --- closed forms --- */

/* Begins a case whose inputs the test writes before it calls truth_of. */
static void by_hand(fuzz *f, ifn_op op, ifn_dtype out_dtype, const int64_t *dims, size_t n)
{
    fuzz_open(f, op);
    f->c = (conform_case){.op = op, .out_dtype = out_dtype, .tier = TIER_T1};
    f->c.family = FAMILY_NORMAL;
    memcpy(f->c.dim, dims, n * sizeof *dims);
    assert_true(fuzz_begin(f));
}

static const conform_truth *truth_of(fuzz *f, const char *name)
{
    const conform_declared strict = {.exp_eps = 4 * U, .rsqrt_rel = 2 * U};
    f->module->truth(&f->c, &f->l, f->data, &strict, &f->pool, f->truth);
    return &f->truth[conform_tensor_index(&f->l, name)];
}

static void close_by_hand(fuzz *f)
{
    fuzz_end(f);
    ifn_backend_close(f->backend);
    conform_pool_fini(&f->pool);
}

static void expect_close(double got, double want)
{
    assert_that(fabs(got - want) <= fabs(want) * 1e-12, "got %.17g, expected %.17g", got, want);
}

TEST(softmax_of_logarithms)
{
    fuzz f;
    by_hand(&f, IFN_OP_SOFTMAX_ROWS, IFN_DTYPE_F32, (int64_t[]){2, 3}, 2);
    const float two = logf(2.0f);
    memcpy(fuzz_floats(&f, "x"), (float[]){0, two, -INFINITY, 0, INFINITY, 1}, 24);
    const conform_truth *t = truth_of(&f, "out");
    assert_true(fabs(t->want[0] - 1.0 / 3) < 1e-7 && fabs(t->want[1] - 2.0 / 3) < 1e-7);
    assert_true(t->want[2] == 0 && t->bound[2] == 0);
    /* R = u (m - x) + u H + 2 eps_e + gamma(n + 1) + N (eps_e + u), H = ln 2 / 3, N = 1 / 3 + 2 */
    const double r =
        U * (double)two + U * (double)two / 3 + 8 * U + conform_gamma(4) + 7.0 / 3 * 5 * U;
    assert_true(fabs(t->bound[0] - expm1(r) / 3 * CONFORM_WIDEN) < 1e-6 * t->bound[0]);
    assert_true(isnan(t->want[3]) && isnan(t->want[4]) && isnan(t->want[5]));
    close_by_hand(&f);
}

/* Exponentials of equal logits are exactly 1 in every kernel if the logits are 0; else a kernel may have shifted by
 * floor(max), or fused the shift, so the sum of 6 rounded numbers and a quotient follow. */
TEST(softmax_of_equal_logits_is_exact_at_zero)
{
    fuzz f;
    by_hand(&f, IFN_OP_SOFTMAX_ROWS, IFN_DTYPE_F32, (int64_t[]){2, 6}, 2);
    f.c.tier = TIER_T0;
    for (int i = 0; i < 12; i++)
        fuzz_floats(&f, "x")[i] = i < 6 ? 0.0f : 0.7f;
    const conform_truth *t = truth_of(&f, "out");
    assert_true(t->want[0] == (double)(1.0f / 6) && t->bound[0] == 0);
    assert_true(t->bound[6] > 9 * U / 6 && t->bound[6] < 64 * U / 6);
    close_by_hand(&f);
}

TEST(half_of_the_largest_logits_of_exact_rows_are_zero)
{
    static const conform_family families[] = {FAMILY_LATTICE, FAMILY_ONE_HOT};
    for (int i = 0; i < 2; i++) {
        fuzz f;
        int n_zero = 0;
        by_hand(&f, IFN_OP_SOFTMAX_ROWS, IFN_DTYPE_F32, (int64_t[]){64, 3}, 2);
        f.c.tier = TIER_T0;
        f.c.family = families[i];
        f.module->fill(&f.c, &f.l, f.data);
        for (int r = 0; r < 64; r++) {
            const float *const x = fuzz_floats(&f, "x") + 3 * r;
            n_zero += fmaxf(fmaxf(x[0], x[1]), x[2]) == 0;
        }
        assert_in_range(n_zero, 16, 48);
        close_by_hand(&f);
    }
}

TEST(rms_norm_of_three_and_four)
{
    fuzz f;
    by_hand(&f, IFN_OP_RMS_NORM, IFN_DTYPE_F32, (int64_t[]){1, 2, 2, 0}, 4);
    memcpy(fuzz_floats(&f, "x"), (float[]){1, 5}, 8);
    memcpy(fuzz_floats(&f, "add"), (float[]){2, -1}, 8);
    memcpy(fuzz_floats(&f, "weight"), (float[]){1, 2}, 8);
    const conform_truth *t = truth_of(&f, "out");
    expect_close(t->want[0], 3 / sqrt(12.5));
    expect_close(t->want[1], 8 / sqrt(12.5));
    const double relative = conform_gamma(2) / 2 + 6 * U + SMIN / 12.5;
    expect_close(t->bound[1],
                 (relative * t->want[1] + SMIN * (1 + 2 + 4 + 1 / sqrt(12.5))) * CONFORM_WIDEN);
    const conform_truth *sum = &f.truth[conform_tensor_index(&f.l, "sum")];
    assert_true(sum->class == CLASS_BITS && sum->want[0] == 3 && sum->want[1] == 4);
    close_by_hand(&f);
}

TEST(rms_norm_of_rows_that_have_none)
{
    fuzz f;
    by_hand(&f, IFN_OP_RMS_NORM, IFN_DTYPE_F32, (int64_t[]){3, 2, 0, 0}, 4);
    memcpy(fuzz_floats(&f, "x"), (float[]){0, 0, -INFINITY, 1, NAN, 1}, 24);
    memcpy(fuzz_floats(&f, "weight"), (float[]){1, 2}, 8);
    const conform_truth *t = truth_of(&f, "out");
    const double want[] = {(double)NAN, (double)NAN, (double)NAN, 0, (double)NAN, (double)NAN};
    for (int i = 0; i < 6; i++)
        assert_true(isnan(want[i]) ? isnan(t->want[i]) : t->want[i] == want[i]);
    close_by_hand(&f);
}

TEST(swiglu_at_zero_and_beyond)
{
    fuzz f;
    by_hand(&f, IFN_OP_SWIGLU, IFN_DTYPE_F32, (int64_t[]){1, 4}, 2);
    memcpy(fuzz_floats(&f, "gate"), (float[]){0, 100, -INFINITY, -200}, 16);
    memcpy(fuzz_floats(&f, "up"), (float[]){7, 3, 1, 2}, 16);
    const conform_truth *t = truth_of(&f, "out");
    assert_true(t->want[0] == 0 && t->want[1] == 300 && isnan(t->want[2]));
    assert_true(fabs(t->want[3]) < 1e-80 && t->bound[3] < 0x1p-117);
    expect_close(t->bound[1], (5 * U * 300 + SMIN * 3 + SMIN * (1 + 100 + 3)) * CONFORM_WIDEN);
    close_by_hand(&f);
}

/* A block of ones with a single 127 has d = 1, so half a step is 1/2. */
TEST(quantized_values_may_be_half_a_step_off)
{
    fuzz f;
    by_hand(&f, IFN_OP_SWIGLU, IFN_DTYPE_Q8_32F, (int64_t[]){1, 32}, 2);
    for (int i = 0; i < 32; i++) {
        fuzz_floats(&f, "gate")[i] = 100;
        fuzz_floats(&f, "up")[i] = i ? 0.01f : 1.27f;
    }
    const conform_truth *t = truth_of(&f, "out");
    assert_true(t->class == CLASS_DECODED && t->want[0] > 126.99 && t->want[0] < 127.01);
    for (int i = 0; i < 32; i++)
        assert_true(t->bound[i] > 0.5 && t->bound[i] < 0.5002);
    close_by_hand(&f);
}

/* --- planted faults --- */

static void choose_rows(fuzz *f)
{
    f->c.dim[0] = 3;
    f->c.dim[1] = 64;
    if (f->c.op == IFN_OP_RMS_NORM) {
        f->c.dim[2] = 0;
        f->c.dim[3] = 5;
    }
}

static void choose_quantized(fuzz *f)
{
    choose_rows(f);
    f->c.out_dtype = IFN_DTYPE_Q8_32F;
}

static void run_without_the_last(fuzz *f)
{
    float *x = f->data[0];
    const float instead = f->c.op == IFN_OP_SOFTMAX_ROWS ? -INFINITY : 0.0f;
    for (int64_t r = 0; r < f->l.t[0].rows; r++)
        x[r * 64 + 63] = instead;
    fuzz_run(f);
}

/* Computes y_i = (s_i / root) w_i, where the fault supplies the root. */
static void normalize(fuzz *f, float (*root)(float mean, float eps))
{
    const ifn_rms_norm_args *a = &f->call.args.rms_norm;
    for (int64_t r = 0; r < a->rows; r++) {
        float squares = 0;
        for (int64_t i = a->dim; i-- > 0;)
            squares += a->x[r * a->dim + i] * a->x[r * a->dim + i];
        for (int64_t i = 0; i < a->dim; i++)
            ((float *)a->out)[r * a->dim + i] =
                a->x[r * a->dim + i] / root(squares / (float)a->dim, a->eps) * a->weight[i];
    }
}

static float honest_root(float mean, float eps)
{
    return sqrtf(mean + eps);
}

static float eps_outside_the_mean(float mean, float eps)
{
    return sqrtf(mean) + eps;
}

static float mean_of_one_less(float mean, float eps)
{
    return sqrtf(mean * 64.0f / 63.0f + eps);
}

static void normalize_honestly(fuzz *f)
{
    normalize(f, honest_root);
}

static void normalize_with_eps_outside(fuzz *f)
{
    normalize(f, eps_outside_the_mean);
}

static void normalize_by_one_less(fuzz *f)
{
    normalize(f, mean_of_one_less);
}

static void swap_gate_and_up(fuzz *f)
{
    const float *gate = f->call.args.swiglu.gate;
    f->call.args.swiglu.gate = f->call.args.swiglu.up;
    f->call.args.swiglu.up = gate;
    fuzz_run(f);
}

/* Stores scales that are 1 % off and rounded to bf16, with the codes of the correct scales. */
static void store_other_scales(fuzz *f)
{
    ifn_block_q8_32f *blocks = f->call.args.swiglu.out;
    fuzz_run(f);
    for (int i = 0; i < 3 * 2; i++)
        blocks[i].d = (float)conform_bf16_value(conform_bf16_nearest((double)blocks[i].d * 1.01));
}

static void forget_the_code_sum(fuzz *f)
{
    ifn_block_q8_32f *blocks = f->call.args.swiglu.out;
    fuzz_run(f);
    blocks[5].s++;
}

TEST(dropped_terms_are_caught_in_t0_and_t2)
{
    assert_int_equal(fuzz_caught(IFN_OP_SOFTMAX_ROWS, TIER_T0, FAMILY_LATTICE, 20, choose_rows,
                                 run_without_the_last),
                     100);
    assert_int_equal(fuzz_caught(IFN_OP_SOFTMAX_ROWS, TIER_T2, FAMILY_NORMAL, 20, choose_rows,
                                 run_without_the_last),
                     100);
    assert_int_equal(fuzz_caught(IFN_OP_RMS_NORM, TIER_T0, FAMILY_LATTICE, 20, choose_rows,
                                 run_without_the_last),
                     100);
    assert_int_equal(
        fuzz_caught(IFN_OP_RMS_NORM, TIER_T2, FAMILY_NORMAL, 20, choose_rows, run_without_the_last),
        100);
}

TEST(a_wrong_root_is_caught_and_an_honest_one_passes)
{
    assert_int_equal(
        fuzz_caught(IFN_OP_RMS_NORM, TIER_T2, FAMILY_NORMAL, 50, choose_rows, normalize_honestly),
        0);
    assert_true(fuzz_caught(IFN_OP_RMS_NORM, TIER_T2, FAMILY_NORMAL, 50, choose_rows,
                            normalize_with_eps_outside) >= 60);
    assert_int_equal(fuzz_caught(IFN_OP_RMS_NORM, TIER_T1, FAMILY_NORMAL, 50, choose_rows,
                                 normalize_by_one_less),
                     100);
}

TEST(swapped_gates_and_bad_blocks_are_caught)
{
    assert_int_equal(
        fuzz_caught(IFN_OP_SWIGLU, TIER_T1, FAMILY_NORMAL, 20, choose_rows, swap_gate_and_up), 100);
    assert_int_equal(fuzz_caught(IFN_OP_SWIGLU, TIER_T1, FAMILY_NORMAL, 20, choose_quantized,
                                 store_other_scales),
                     100);
    assert_int_equal(fuzz_caught(IFN_OP_SWIGLU, TIER_T1, FAMILY_NORMAL, 20, choose_quantized,
                                 forget_the_code_sum),
                     100);
}
