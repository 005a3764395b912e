/* Declared arithmetic (numerics 9.2): compares each bound with the worst error that honest rounding makes. */
#include "arithmetic.h"

#include <string.h>

#include "bounds.h"
#include "case_pool.h"
#include "test.h"

TEST(formats_round_to_nearest_even)
{
    const conform_format *const bf16 = conform_format_of(IFN_ROUND_BF16),
                                *const f16 = conform_format_of(IFN_ROUND_F16),
                                *const tf32 = conform_format_of(IFN_ROUND_TF32);
    assert_true(conform_round_to(bf16, 1 + 0x1p-8) == 1);
    assert_true(conform_round_to(bf16, 1 + 0x3p-8) == 1 + 0x1p-6);
    assert_true(conform_round_to(tf32, -(1 + 0x1.8p-10)) == -(1 + 0x1p-9));
    assert_true(conform_round_to(f16, 65519) == 65504);
    assert_true(conform_round_to(f16, 65520) == (double)INFINITY);
    assert_true(conform_round_to(f16, 0x1.8p-24) == 0x1p-23);
    assert_true(conform_round_to(f16, 0x1p-25) == 0);
    assert_true(conform_round_to(bf16, 0x1.ffp127) == (double)INFINITY);
    assert_true(conform_round_to(bf16, 0x1.fep127) == 0x1.fep127);
}

TEST(what_a_format_holds_is_not_moved)
{
    const conform_format *const f16 = conform_format_of(IFN_ROUND_F16);
    assert_true(conform_rounding_error(f16, 2047) == 0);
    assert_true(conform_rounding_error(f16, 2049) > 0);
    assert_true(conform_rounding_error(f16, 1e5) == (double)INFINITY);
    assert_true(conform_rounding_error(f16, (double)INFINITY) == 0);
}

TEST(shortened_integers_stay_integers_and_do_not_grow)
{
    const conform_format *const bf16 = conform_format_of(IFN_ROUND_BF16);
    for (int i = 1; i < 4096; i++) {
        const double x = conform_shorten(bf16, -i);
        assert_true(x <= -1 && x >= -i && x == trunc(x));
        assert_true(conform_rounding_error(bf16, x) == 0);
    }
    const conform_format *const f16 = conform_format_of(IFN_ROUND_F16);
    assert_true(conform_rounding_error(f16, conform_shorten(f16, 0x1.fffffep99)) == 0);
    assert_true(conform_rounding_error(f16, conform_shorten(f16, 0x1.234568p-99)) == 0);
}

TEST(arithmetics_are_told_apart)
{
    static conform_arithmetics a, b;
    assert_true(conform_arithmetics_are_plain(&a) && conform_arithmetics_are_equal(&a, &b));
    b.of[IFN_OP_LINEAR][IFN_DTYPE_Q8_0].output = IFN_ROUND_F16;
    assert_false(conform_arithmetics_are_plain(&b) || conform_arithmetics_are_equal(&a, &b));
}

TEST(words_say_what_is_declared_and_nothing_else)
{
    char room[96];
    const ifn_arithmetic none = {0}, all = {.inputs = IFN_ROUND_F16,
                                            .sums = IFN_ROUND_F16,
                                            .sum_block = 32,
                                            .output = IFN_ROUND_BF16};
    assert_string_equal(conform_arithmetic_words(&none, room, sizeof room), "");
    assert_string_equal(conform_arithmetic_words(&all, room, sizeof room),
                        "products in f16, sums in f16 by 32, results in bf16");
    assert_true(conform_arithmetic_is_plain(&none) && !conform_arithmetic_is_plain(&all));
}

/* --- worst cases: within the bound, and most of it --- */

typedef struct trial {
    ifn_arithmetic a;
    double x[64], w[64];
    int n;
} trial;

static conform_sum sum_of(const trial *t)
{
    const conform_format *const f = conform_format_of(t->a.inputs);
    conform_sum s = {0};
    for (int i = 0; i < t->n; i++) {
        const double x = t->x[i], w = t->w[i];
        conform_sum_add(&s, x * w, x * w);
        conform_sum_move(&s, fabs(x), t->a.inputs ? conform_rounding_error(f, x) : 0, fabs(w),
                         t->a.inputs ? conform_rounding_error(f, w) : 0);
    }
    return s;
}

/* Returns |got - want| / bound. */
static double used_by(const trial *t, conform_tier tier, double got)
{
    conform_pool pool;
    conform_truth truth = {0};
    conform_pool_init(&pool);
    conform_truth_take(&truth, CLASS_BOUND, 1, &pool);
    const conform_declared d = {.arithmetic = t->a};
    const conform_sum s = sum_of(t);
    const conform_summing how = conform_summing_of(tier, &d, t->n, t->n, 0);
    conform_judge_sum(&truth, 0, &s, &how, t->n * conform_summing_unit(&d));
    assert_false(truth.skip[0]);
    const double error = fabs(got - truth.want[0]);
    const double used = error == 0 ? 0 : error / truth.bound[0];
    conform_pool_fini(&pool);
    return used;
}

static void assert_used(double used, double least)
{
    assert_that(used >= least && used <= 1, "%.4f of the bound, expected %.2f to 1", used, least);
}

static void fill(trial *t, int n, double x, double w)
{
    t->n = n;
    for (int i = 0; i < n; i++) {
        t->x[i] = x;
        t->w[i] = w;
    }
}

/* Both factors lie halfway between two neighbours, and all are rounded to the same side. */
TEST(rounded_factors_use_their_bound_up)
{
    static const uint32_t formats[] = {IFN_ROUND_TF32, IFN_ROUND_BF16, IFN_ROUND_F16};
    for (size_t i = 0; i < N_OF(formats); i++) {
        const double u = conform_format_of(formats[i])->u;
        trial t = {.a = {.inputs = formats[i]}};
        fill(&t, 16, 1 + u, -(1 + u));
        assert_used(used_by(&t, TIER_T1, -16), 0.97);
        assert_true(used_by(&t, TIER_T1, -16 * (1 - 2 * u)) > 1); /* truncation loses twice */
    }
}

/* The sum is 1 plus 32 terms, each a tie that is lost beside 1. */
TEST(sums_in_f16_use_their_bound_up)
{
    trial t = {.a = {.sums = IFN_ROUND_F16}};
    fill(&t, 33, 0x1p-11, 1);
    t.x[0] = 1;
    assert_used(used_by(&t, TIER_T1, 1), 0.9);
    t.a.sum_block = 8; /* with blocks of 8 so much must not be lost */
    assert_true(used_by(&t, TIER_T1, 1) > 1);
}

TEST(a_result_through_f16_uses_its_bound_up)
{
    trial t = {.a = {.output = IFN_ROUND_F16}};
    fill(&t, 1, 1 + 0x1p-11, 1);
    assert_used(used_by(&t, TIER_T0, 1), 0.99);
    assert_true(used_by(&t, TIER_T0, 1 - 0x1p-11) > 1);
    fill(&t, 1, 0x1p-25, 1); /* halfway between zero and the smallest subnormal of f16 */
    assert_used(used_by(&t, TIER_T0, 0), 0.99);
}

TEST(a_factor_that_vanishes_in_f16_uses_its_bound_up)
{
    trial t = {.a = {.inputs = IFN_ROUND_F16}};
    fill(&t, 4, 0x1p-25, 1);
    assert_used(used_by(&t, TIER_T1, 0), 0.99);
}

/* --- T0 --- */

static double bound_of(const trial *t, conform_tier tier, int *skip)
{
    conform_pool pool;
    conform_truth truth = {0};
    conform_pool_init(&pool);
    conform_truth_take(&truth, CLASS_BOUND, 1, &pool);
    const conform_declared d = {.arithmetic = t->a};
    const conform_sum s = sum_of(t);
    const conform_summing how = conform_summing_of(tier, &d, t->n, t->n, 0);
    conform_judge_sum(&truth, 0, &s, &how, t->n * conform_summing_unit(&d));
    const double bound = truth.bound[0];
    *skip = truth.skip[0];
    conform_pool_fini(&pool);
    return bound;
}

TEST(exact_sums_stay_exact_where_the_formats_hold_them)
{
    int skip;
    trial t = {.a = {.inputs = IFN_ROUND_BF16}};
    fill(&t, 32, 255, 3);
    assert_true(bound_of(&t, TIER_T0, &skip) == 0 && !skip);
    t.x[31] = 257;
    assert_true(bound_of(&t, TIER_T0, &skip) > 0);
    t.a = (ifn_arithmetic){.sums = IFN_ROUND_F16};
    fill(&t, 32, 8, 8);
    assert_true(bound_of(&t, TIER_T0, &skip) == 0 && !skip);
    t.x[0] = t.w[0] = 9; /* 32 terms of up to 81 may exceed 2^11 */
    assert_true(bound_of(&t, TIER_T0, &skip) > 0);
}

TEST(what_may_overflow_is_not_judged)
{
    int skip;
    trial t = {.a = {.inputs = IFN_ROUND_F16}};
    fill(&t, 1, 65520, 1);
    bound_of(&t, TIER_T1, &skip);
    assert_true(skip);
    t = (trial){.a = {.sums = IFN_ROUND_F16}};
    fill(&t, 2, 256, 128);
    bound_of(&t, TIER_T1, &skip);
    assert_true(skip);
    t.a = (ifn_arithmetic){.output = IFN_ROUND_F16};
    bound_of(&t, TIER_T1, &skip);
    assert_true(skip);
    t.a = (ifn_arithmetic){.output = IFN_ROUND_BF16};
    bound_of(&t, TIER_T1, &skip);
    assert_false(skip);
}

/* With random signs rounding errors cancel: from k = 64 on the random-walk bound is the smaller one. */
TEST(random_signs_only_tighten)
{
    int skip;
    trial t = {.a = {.inputs = IFN_ROUND_F16, .sums = IFN_ROUND_F16}};
    fill(&t, 64, 1 + 0x1p-13, 1);
    for (int i = 0; i < 64; i += 2)
        t.x[i] = -t.x[i];
    assert_true(bound_of(&t, TIER_T2, &skip) <= bound_of(&t, TIER_T1, &skip));
    assert_true(bound_of(&t, TIER_T2, &skip) > 0);
}
