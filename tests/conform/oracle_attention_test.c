#include <math.h>
#include <string.h>

#include "blocks.h"
#include "bounds.h"
#include "fuzz.h"

static const ifn_dtype caches[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0};

/* Draws few keys mostly, and in every eighth case about as many as one or two blocks of 256. */
static void choose(fuzz *f)
{
    f->c.dtype = caches[fuzz_size(f, 0, 2)];
    const int64_t first_pos =
        f->n % 8 ? fuzz_size(f, 0, 40) : FUZZ_PICK(f, 253, 254, 255, 256, 510, 511, 512);
    const int64_t head_dim =
        f->c.dtype == IFN_DTYPE_Q8_0 ? 32 * fuzz_size(f, 0, 2) : fuzz_size(f, 0, 40);
    const int64_t dims[] = {fuzz_size(f, 0, 4),
                            first_pos,
                            fuzz_size(f, 0, 3),
                            FUZZ_PICK(f, 1, 1, 2, 3),
                            FUZZ_PICK(f, 1, 2, 3, 4, 7, 8),
                            head_dim};
    memcpy(f->c.dim, dims, sizeof dims);
}

TEST(honest_attention_passes)
{
    fuzz f;
    fuzz_open(&f, IFN_OP_ATTENTION);
    while (fuzz_next(&f, 800)) {
        choose(&f);
        fuzz_honest(&f);
    }
    fuzz_close(&f);
}

/* --- closed forms --- */

/* Begins a case of one head of one component with f32 caches. The test writes q and both caches, so a score is q k. */
static void by_hand(fuzz *f, int64_t n_keys)
{
    const int64_t dims[] = {1, n_keys - 1, 1, 1, 1, 1};
    fuzz_open(f, IFN_OP_ATTENTION);
    f->c = (conform_case){.op = IFN_OP_ATTENTION, .tier = TIER_T1, .family = FAMILY_POSITIVE};
    memcpy(f->c.dim, dims, sizeof dims);
    assert_true(fuzz_begin(f));
    fuzz_floats(f, "q")[0] = 1;
}

static const conform_truth *truth_under(fuzz *f, const conform_declared *declared)
{
    f->module->truth(&f->c, &f->l, f->data, declared, &f->pool, f->truth);
    return &f->truth[conform_tensor_index(&f->l, "out")];
}

static const conform_truth *truth_of(fuzz *f)
{
    const conform_declared strict = {.exp_eps = 4 * U, .rsqrt_rel = 2 * U};
    return truth_under(f, &strict);
}

static void close_by_hand(fuzz *f)
{
    fuzz_end(f);
    ifn_backend_close(f->backend);
    conform_pool_fini(&f->pool);
}

/* Returns the bound of one row over n_keys equal keys with values of alternating sign. */
static double tier_bound_over(int64_t n_keys, int is_any_order, conform_tier tier)
{
    fuzz f;
    by_hand(&f, n_keys);
    f.c.tier = tier;
    if (tier == TIER_T0)
        fuzz_floats(&f, "q")[0] = 0;
    for (int64_t t = 0; t < n_keys; t++) {
        fuzz_floats(&f, "k_cache")[t] = 0;
        fuzz_floats(&f, "v_cache")[t] = t % 2 ? 1.0f : -1.0f;
    }
    const conform_declared declared = {
        .exp_eps = 4 * U, .rsqrt_rel = 2 * U, .is_any_order = is_any_order};
    const double bound = truth_under(&f, &declared)->bound[0];
    close_by_hand(&f);
    return bound;
}

static double bound_over(int64_t n_keys, int is_any_order)
{
    return tier_bound_over(n_keys, is_any_order, TIER_T1);
}

static double exact_bound_over(int64_t n_keys, int is_any_order)
{
    return tier_bound_over(n_keys, is_any_order, TIER_T0);
}

/* A backend that does not promise R3 may sum all keys in one pass: its depth is 4096, not 256 + 16. */
TEST(keys_in_an_order_of_ones_own_have_the_depth_of_all)
{
    const double blocks = bound_over(4096, 0), one_pass = bound_over(4096, 1);
    assert_true(one_pass > 8 * blocks && one_pass < 16 * blocks);
    assert_true(bound_over(200, 1) >= bound_over(200, 0));
    assert_true(bound_over(200, 1) < 1.1 * bound_over(200, 0));
}

/* Splits of 3, 3 and 2 keys, each divided by its own sum, have rounded shares although 8 is a power of two. */
TEST(shares_of_blocks_are_rounded_for_any_number_of_keys)
{
    const double bound = exact_bound_over(8, 1);
    assert_true(exact_bound_over(8, 0) == 0);
    assert_true(bound >= 8 * U && bound < 32 * U);
}

/* The weights are 1/4 and 3/4, the values 8 and 4: o = 5, and the distances from it are 3 and 1. */
TEST(two_keys)
{
    fuzz f;
    by_hand(&f, 2);
    const float three = logf(3.0f);
    memcpy(fuzz_floats(&f, "k_cache"), (float[]){0, three, NAN}, 12);
    memcpy(fuzz_floats(&f, "v_cache"), (float[]){8, 4, NAN}, 12);
    const conform_truth *t = truth_of(&f);
    assert_true(fabs(t->want[0] - 5) < 1e-6);
    /* D_t = gamma(3) |s_t| + SMIN (2 + 1 + |k_t|); max D = D_1; no rescaling */
    const double d = conform_gamma(3) * (double)three;
    const double r0 = expm1(U * ((double)three + 2 * d) + 4 * U), r1 = expm1(d + 2 * U * d + 4 * U);
    const double p = 0.25 * r0 + 0.75 * r1, g = conform_gamma(4);
    const double top =
        0.25 * r0 * 3 + 0.75 * r1 * 1 + g * (0.25 * (1 + r0) * 13 + 0.75 * (1 + r1) * 9);
    const double bound = top / ((1 - p) * (1 - g)) + 4 * U * 5;
    assert_that(fabs(t->bound[0] - bound) < 1e-5 * bound, "%.17g, expected %.17g", t->bound[0],
                bound);
    close_by_hand(&f);
}

TEST(keys_that_do_not_count)
{
    fuzz f;
    by_hand(&f, 2);
    memcpy(fuzz_floats(&f, "v_cache"), (float[]){8, 4, NAN}, 12);
    float *k = fuzz_floats(&f, "k_cache");
    memcpy(k, (float[]){-INFINITY, 1}, 8);
    assert_true(truth_of(&f)->want[0] == 4);
    memcpy(k, (float[]){-INFINITY, -INFINITY}, 8);
    assert_true(isnan(truth_of(&f)->want[0]));
    memcpy(k, (float[]){INFINITY, 1}, 8);
    assert_true(isnan(truth_of(&f)->want[0]));
    memcpy(k, (float[]){NAN, -INFINITY}, 8);
    assert_true(isnan(truth_of(&f)->want[0]));
    close_by_hand(&f);
}

TEST(values_that_are_not_finite_count_by_their_weight)
{
    fuzz f;
    by_hand(&f, 2);
    memcpy(fuzz_floats(&f, "v_cache"), (float[]){INFINITY, 4, NAN}, 12);
    float *k = fuzz_floats(&f, "k_cache");
    memcpy(k, (float[]){0, 1}, 8);
    assert_true(isinf(truth_of(&f)->want[0]) && !truth_of(&f)->skip[0]);
    memcpy(k, (float[]){0, 90}, 8);
    assert_true(truth_of(&f)->skip[0]);
    close_by_hand(&f);
}

/* --- declared arithmetic (numerics 9.2): the worst beside the bound --- */

/* Begins a case of one head, n_keys and up to two components, which is judged under products of `inputs`. */
static void begin_declared(fuzz *f, int64_t n_keys, int64_t head_dim)
{
    const int64_t dims[] = {1, n_keys - 1, 0, 1, 1, head_dim};
    fuzz_open(f, IFN_OP_ATTENTION);
    f->c = (conform_case){.op = IFN_OP_ATTENTION, .tier = TIER_T1, .family = FAMILY_POSITIVE};
    memcpy(f->c.dim, dims, sizeof dims);
    assert_true(fuzz_begin(f));
}

static double used_under(fuzz *f, uint32_t inputs, double got)
{
    const conform_declared declared = {
        .exp_eps = 4 * U, .rsqrt_rel = 2 * U, .arithmetic.inputs = inputs};
    const conform_truth *const t = truth_under(f, &declared);
    assert_false(t->skip[0]);
    return fabs(got - t->want[0]) / t->bound[0];
}

static void assert_used(double used, double least)
{
    assert_that(used >= least && used <= 1, "%.4f of the bound, expected %.2f to 1", used, least);
}

/* Weights of 1/255 and values of 1 + 2^-8 are all rounded up by nearly a whole unit roundoff. */
TEST(rounded_weights_and_values_use_their_bound_up)
{
    const double up = 0x1p-8 * (1 + 0x1p-7), value = 1 + 0x1p-7;
    fuzz f;
    begin_declared(&f, 255, 1);
    for (int t = 0; t < 255; t++) {
        fuzz_floats(&f, "k_cache")[t] = 0;
        fuzz_floats(&f, "v_cache")[t] = 1 + 0x1p-8f + 0x1p-20f;
    }
    assert_used(used_under(&f, IFN_ROUND_BF16, 255 * up * value), 0.97);
    assert_true(used_under(&f, IFN_ROUND_BF16, 255 * up * value + 0x1p-7) > 1);
    assert_true(used_under(&f, IFN_ROUND_TF32, 255 * up * value) > 1);
    close_by_hand(&f);
}

/* q.k is 0: of two products of 4 one is rounded up and one down, which gives a score of 16 u. */
TEST(rounded_queries_and_keys_use_their_bound_up)
{
    const float above = 2 + 0x1p-7f + 0x1p-18f, below = 2 + 0x1p-7f - 0x1p-18f;
    const double rounded = 2 + 0x1p-6, score = rounded * rounded - 4;
    fuzz f;
    begin_declared(&f, 2, 2);
    const double scale = (double)f.call.args.attention.scale;
    memcpy(fuzz_floats(&f, "q"), (float[]){above, below}, 8);
    memcpy(fuzz_floats(&f, "k_cache"), (float[]){0, 0, above, -below}, 16);
    memcpy(fuzz_floats(&f, "v_cache"), (float[]){1, 1, -1, -1}, 16);
    const double p = 1 / (1 + exp(-scale * score)), cut_off = 1 / (1 + exp(-2 * scale * score));
    assert_used(used_under(&f, IFN_ROUND_BF16, 1 - 2 * p), 0.7);
    assert_true(used_under(&f, IFN_ROUND_BF16, 1 - 2 * cut_off) > 1);
    close_by_hand(&f);
}

/* 255 weights just below 2^-25 all become 0, and nothing else contributes to the result. */
TEST(weights_that_vanish_in_f16_use_their_bound_up)
{
    fuzz f;
    begin_declared(&f, 256, 1);
    const double scale = (double)f.call.args.attention.scale;
    fuzz_floats(&f, "q")[0] = 1;
    for (int t = 0; t < 256; t++) {
        fuzz_floats(&f, "k_cache")[t] = t ? (float)(-17.375 / scale) : 0;
        fuzz_floats(&f, "v_cache")[t] = t ? 1 : 0;
    }
    assert_used(used_under(&f, IFN_ROUND_F16, 0), 0.9);
    assert_true(used_under(&f, IFN_ROUND_BF16, 0) > 1);
    close_by_hand(&f);
}

/* An element is not judged if the format may make a factor infinite, or if zero times infinity may occur. */
TEST(what_may_overflow_in_a_factor_is_not_judged)
{
    fuzz f;
    begin_declared(&f, 2, 1);
    const conform_declared declared = {
        .exp_eps = 4 * U, .rsqrt_rel = 2 * U, .arithmetic.inputs = IFN_ROUND_F16};
    fuzz_floats(&f, "q")[0] = 1;
    memcpy(fuzz_floats(&f, "k_cache"), (float[]){0, -12}, 8);
    memcpy(fuzz_floats(&f, "v_cache"), (float[]){65519, 1}, 8);
    assert_false(truth_under(&f, &declared)->skip[0]);
    fuzz_floats(&f, "v_cache")[0] = 65520;
    assert_true(truth_under(&f, &declared)->skip[0]);
    memcpy(fuzz_floats(&f, "v_cache"), (float[]){1, INFINITY}, 8);
    assert_false(truth_under(&f, &declared)->skip[0]);
    fuzz_floats(&f, "k_cache")[1] = -17;
    assert_true(truth_under(&f, &declared)->skip[0]);
    close_by_hand(&f);
}

/* In T0 values that the format holds stay exact; weights that are no powers of two have one rounding. */
TEST(equal_weights_stay_exact_where_the_format_holds_them)
{
    fuzz f;
    begin_declared(&f, 4, 1);
    f.c.tier = TIER_T0;
    f.c.family = FAMILY_LATTICE;
    fuzz_floats(&f, "q")[0] = 0;
    memcpy(fuzz_floats(&f, "k_cache"), (float[]){1, 2, 3, 4}, 16);
    memcpy(fuzz_floats(&f, "v_cache"), (float[]){255, 3, 7, 7}, 16);
    const conform_declared declared = {
        .exp_eps = 4 * U, .rsqrt_rel = 2 * U, .arithmetic.inputs = IFN_ROUND_BF16};
    assert_true(truth_under(&f, &declared)->bound[0] == 0);
    fuzz_floats(&f, "v_cache")[0] = 257;
    assert_true(truth_under(&f, &declared)->bound[0] > 0x1p-8);
    close_by_hand(&f);
    begin_declared(&f, 3, 1);
    f.c.tier = TIER_T0;
    fuzz_floats(&f, "q")[0] = 0;
    memcpy(fuzz_floats(&f, "v_cache"), (float[]){3, 3, 3}, 12);
    const double bound = truth_under(&f, &declared)->bound[0];
    assert_true(bound > 3 * 0x1p-8 && bound < 3.1 * 0x1p-8);
    close_by_hand(&f);
}

/* --- planted faults --- */

static void choose_two_blocks(fuzz *f)
{
    const int64_t dims[] = {2, FUZZ_PICK(f, 20, 254, 258), 1, 2, 3, 64};
    f->c.dtype = caches[f->n % 3];
    memcpy(f->c.dim, dims, sizeof dims);
}

static void honestly(fuzz *f)
{
    fuzz_run(f);
}

static void one_key_fewer(fuzz *f)
{
    f->call.args.attention.first_pos--;
    fuzz_run(f);
}

/* The row at first_pos attends to the key after it, the last row to a masked one. */
static void one_key_more(fuzz *f)
{
    f->call.args.attention.first_pos++;
    fuzz_run(f);
}

/* Computes one query head after another, with the KV head that `pick` returns. */
static void by_heads(fuzz *f, int64_t (*pick)(int64_t head, const ifn_attention_args *a))
{
    const ifn_attention_args whole = f->call.args.attention;
    const size_t head_bytes =
        (size_t)whole.max_pos * ifn_dtype_row_bytes(whole.cache_dtype, whole.head_dim);
    ifn_attention_args *a = &f->call.args.attention;
    for (int64_t r = 0; r < whole.rows; r++) {
        for (int64_t h = 0; h < whole.n_heads; h++) {
            const size_t at = (size_t)pick(h, &whole) * head_bytes;
            *a = whole;
            a->n_heads = a->n_kv_heads = a->rows = 1;
            a->first_pos += r;
            a->q += (r * whole.n_heads + h) * whole.head_dim;
            a->out += (r * whole.n_heads + h) * whole.head_dim;
            a->k_cache = (const unsigned char *)whole.k_cache + at;
            a->v_cache = (const unsigned char *)whole.v_cache + at;
            fuzz_run(f);
        }
    }
}

static int64_t right_head(int64_t head, const ifn_attention_args *a)
{
    return head * a->n_kv_heads / a->n_heads;
}

static int64_t head_modulo(int64_t head, const ifn_attention_args *a)
{
    return head % a->n_kv_heads;
}

static void by_right_heads(fuzz *f)
{
    by_heads(f, right_head);
}

static void by_heads_modulo(fuzz *f)
{
    by_heads(f, head_modulo);
}

static void with_twice_the_scale(fuzz *f)
{
    f->call.args.attention.scale *= 2;
    fuzz_run(f);
}

static void with_queries_in_f16(fuzz *f)
{
    float *q = fuzz_floats(f, "q");
    for (size_t i = 0; i < f->l.t[0].bytes / 4; i++)
        q[i] = (float)conform_f16_value(conform_f16_nearest((double)q[i]));
    fuzz_run(f);
}

TEST(honest_heads_pass)
{
    assert_int_equal(
        fuzz_caught(IFN_OP_ATTENTION, TIER_T2, FAMILY_NORMAL, 20, choose_two_blocks, honestly), 0);
    assert_int_equal(fuzz_caught(IFN_OP_ATTENTION, TIER_T0, FAMILY_ONE_HOT, 20, choose_two_blocks,
                                 by_right_heads),
                     0);
}

/* If one key has nearly all the weight, the other keys do not matter, so a few cases cannot see the fault. */
TEST(planted_faults_are_caught)
{
    void (*const faults[])(fuzz *) = {one_key_fewer, one_key_more, by_heads_modulo,
                                      with_twice_the_scale, with_queries_in_f16};
    for (size_t i = 0; i < N_OF(faults); i++)
        assert_true(fuzz_caught(IFN_OP_ATTENTION, TIER_T2, FAMILY_NORMAL, 20, choose_two_blocks,
                                faults[i]) >= 95);
}

TEST(exact_tiers_see_each_key_and_each_head)
{
    assert_int_equal(fuzz_caught(IFN_OP_ATTENTION, TIER_T0, FAMILY_LATTICE, 20, choose_two_blocks,
                                 one_key_fewer),
                     100);
    assert_int_equal(
        fuzz_caught(IFN_OP_ATTENTION, TIER_T0, FAMILY_LATTICE, 20, choose_two_blocks, one_key_more),
        100);
    assert_int_equal(fuzz_caught(IFN_OP_ATTENTION, TIER_T0, FAMILY_ONE_HOT, 20, choose_two_blocks,
                                 by_heads_modulo),
                     100);
}
