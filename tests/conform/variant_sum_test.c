#include "variant_sum.h"

#include <math.h>
#include <string.h>

#include "gen.h"
#include "test.h"

enum { MOST = 300 };

#define VARIANT(o, n, fma, f64, s)                                                                 \
    {                                                                                              \
        .order = (o), .lanes = (n), .is_fma = (fma), .is_f64 = (f64), .seed = (s)                  \
    }
static const variant all[] = {
    VARIANT(ORDER_FORWARD, 1, 0, 0, 0),  VARIANT(ORDER_BACKWARD, 1, 0, 0, 0),
    VARIANT(ORDER_PAIRWISE, 1, 0, 0, 0), VARIANT(ORDER_FORWARD, 8, 0, 0, 0),
    VARIANT(ORDER_FORWARD, 1, 1, 0, 0),  VARIANT(ORDER_FORWARD, 1, 0, 1, 0),
    VARIANT(ORDER_SHUFFLED, 1, 0, 0, 1), VARIANT(ORDER_SHUFFLED, 4, 1, 0, 2),
    VARIANT(ORDER_PAIRWISE, 1, 1, 0, 0), VARIANT(ORDER_SHUFFLED, 16, 0, 0, 3),
};

/* The terms are different powers of two, so the bits of the sum show which terms were added. */
TEST(every_term_takes_part_once)
{
    static const float one = 1.0f;
    for (size_t v = 0; v < N_OF(all); v++) {
        for (int64_t n = 0; n <= 24; n++) {
            float x[24];
            for (int i = 0; i < 24; i++)
                x[i] = ldexpf(1.0f, i);
            const variant_terms t = {.a = x, .a_stride = 1, .b = &one};
            assert_true(variant_sum(&all[v], &t, n) == ldexpf(1.0f, (int)n) - 1.0f);
        }
    }
}

/* The same for lengths that exceed a significand, where step and length may have common factors. */
TEST(shuffles_are_permutations_of_every_length)
{
    for (size_t v = 0; v < N_OF(all); v++) {
        for (int64_t n = 1; n <= MOST; n++) {
            float x[MOST], y[MOST];
            for (int64_t i = 0; i < n; i++) {
                x[i] = (float)(i + 1);
                y[i] = (float)(2 * i + 1);
            }
            const variant_terms t = {.a = x, .a_stride = 1, .b = y, .b_stride = 1};
            /* sum (i+1)(2i+1) = n(n+1)(4n-1)/6 */
            assert_true(variant_sum(&all[v], &t, n) == (float)(n * (n + 1) * (4 * n - 1) / 6) ||
                        n * (n + 1) * (4 * n - 1) / 6 > 1 << 24);
        }
    }
}

static float sum_with(const variant *v, const float *x, int64_t n)
{
    static const float one = 1.0f;
    return variant_sum(v, &(variant_terms){.a = x, .a_stride = 1, .b = &one}, n);
}

/* 2^24 + 1 rounds to 2^24: a single 1 is lost after it. */
TEST(each_order_is_what_its_name_says)
{
    const float big = 0x1p24f;
    const variant *const forward = &all[0], *const backward = &all[1], *const pairwise = &all[2];
    const variant *const lanes8 = &all[3], *const f64 = &all[5];
    const float first[] = {big, 1, 1}, last[] = {1, 1, big}, half[] = {big, 1, 1, 1};
    assert_true(sum_with(forward, first, 3) == big);
    assert_true(sum_with(forward, last, 3) == big + 2);
    assert_true(sum_with(backward, first, 3) == big + 2);
    assert_true(sum_with(backward, last, 3) == big);
    assert_true(sum_with(pairwise, half, 4) == big + 2);
    assert_true(sum_with(f64, half, 4) == big + 4); /* 2^24 + 3, rounded once: a tie */
    const float in_lanes[] = {big, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1};
    assert_true(sum_with(lanes8, in_lanes, 17) == big);
    const float beside[] = {big, 1, 0, 0, 0, 0, 0, 0, 0, 1};
    assert_true(sum_with(lanes8, beside, 10) == big + 2);
}

TEST(contraction_keeps_the_rest_of_a_product)
{
    const float x[] = {1.0f, 1 + 0x1p-12f}, y[] = {-1.0f, 1 + 0x1p-12f};
    const variant_terms t = {.a = x, .a_stride = 1, .b = y, .b_stride = 1};
    assert_true(variant_sum(&all[0], &t, 2) == 0x1p-11f);
    assert_true(variant_sum(&all[4], &t, 2) == 0x1p-11f + 0x1p-24f);
}

TEST(factors_may_be_strided_squared_and_sums_themselves)
{
    const float x[] = {1, 9, 2, 9, 3}, add[] = {1, 1, 1}, y[] = {1, 0, 0, 10, 0, 0, 100};
    for (size_t v = 0; v < N_OF(all); v++) {
        const variant_terms dot = {.a = x, .a_stride = 2, .b = y, .b_stride = 3};
        const variant_terms squares = {.a = x, .a_stride = 2};
        const variant_terms residual = {.a = x, .a_stride = 2, .add = add};
        assert_true(variant_sum(&all[v], &dot, 3) == 321);
        assert_true(variant_sum(&all[v], &squares, 3) == 14);
        assert_true(variant_sum(&all[v], &residual, 3) == 29);
    }
}

/* Several sums at once have the bits of each sum by itself, for any length, and with infinities and NaN among the
 * terms. */
TEST(sums_side_by_side_have_the_bits_of_each_alone)
{
    const conform_stream s = conform_stream_of(9, "beside");
    const variant_sums add_up = variant_sums_here();
    enum { STRIDE = 2 * VARIANT_AT_ONCE + 3 };
    static float w[MOST * STRIDE], x[MOST];
    for (uint64_t i = 0; i < N_OF(w); i++)
        w[i] = i == 77 ? INFINITY : conform_normal(s, i);
    for (uint64_t i = 0; i < MOST; i++)
        x[i] = i == 280 ? NAN : conform_normal(s, N_OF(w) + i);
    for (size_t v = 0; v < N_OF(all); v++)
        for (int64_t n = 0; n <= MOST; n++) {
            float sums[STRIDE];
            add_up(&all[v], w, STRIDE, x, n, sums);
            variant_sums_of_rows(&all[v], w + VARIANT_AT_ONCE, STRIDE, STRIDE - VARIANT_AT_ONCE, x,
                                 n, sums + VARIANT_AT_ONCE);
            for (int o = 0; o < STRIDE; o++) {
                const variant_terms t = {.a = w + o, .a_stride = STRIDE, .b = x, .b_stride = 1};
                const float alone = variant_sum(&all[v], &t, n);
                assert_that(memcmp(&alone, &sums[o], sizeof alone) == 0 ||
                                (isnan(alone) && isnan(sums[o])),
                            "variant %zu, n %lld, sum %d: %a, alone %a", v, (long long)n, o,
                            (double)sums[o], (double)alone);
            }
        }
}

TEST(sums_in_f64_are_rounded_once)
{
    static float w[4 * VARIANT_AT_ONCE];
    const float x[] = {1, 127, -128, 1};
    float sums[VARIANT_AT_ONCE];
    for (int o = 0; o < VARIANT_AT_ONCE; o++) {
        w[o] = 1.0f;
        w[VARIANT_AT_ONCE + o] = ldexpf(1.0f, 30 + o);
        w[2 * VARIANT_AT_ONCE + o] = w[VARIANT_AT_ONCE + o];
        w[3 * VARIANT_AT_ONCE + o] = w[VARIANT_AT_ONCE + o] + (o == 3 ? 0x1p33f : 0.0f);
    }
    variant_sums_here()(&all[5], w, VARIANT_AT_ONCE, x, 4, sums);
    for (int o = 0; o < VARIANT_AT_ONCE; o++)
        assert_true(sums[o] == (o == 3 ? 0x1p33f : 1.0f));
}

/* If two variants had equal results, the noise floor would count one run twice. */
TEST(orders_differ_on_random_terms)
{
    const conform_stream s = conform_stream_of(7, "terms");
    int n_differ[N_OF(all)][N_OF(all)] = {{0}};
    for (uint64_t trial = 0; trial < 100; trial++) {
        float x[MOST], y[MOST], sums[N_OF(all)];
        for (uint64_t i = 0; i < MOST; i++) {
            x[i] = conform_normal(s, trial * 2 * MOST + i);
            y[i] = conform_normal(s, trial * 2 * MOST + MOST + i);
        }
        for (size_t v = 0; v < N_OF(all); v++)
            sums[v] = variant_sum(
                &all[v], &(variant_terms){.a = x, .a_stride = 1, .b = y, .b_stride = 1}, MOST);
        for (size_t v = 0; v < N_OF(all); v++)
            for (size_t w = 0; w < v; w++)
                n_differ[v][w] += sums[v] != sums[w];
    }
    for (size_t v = 0; v < N_OF(all); v++)
        for (size_t w = 0; w < v; w++)
            assert_that(n_differ[v][w] >= 30, "%zu and %zu differ in %d of 100", v, w,
                        n_differ[v][w]);
}

/* Every rounding stays within the declared format, by whatever factor the inputs were scaled. */
TEST(what_is_rounded_is_off_by_no_more_than_its_format_allows)
{
    static const uint32_t rounds[] = {IFN_ROUND_TF32, IFN_ROUND_BF16, IFN_ROUND_F16};
    const conform_stream s = conform_stream_of(3, "rounded");
    for (size_t f = 0; f < N_OF(rounds); f++) {
        const conform_format *const format = conform_format_of(rounds[f]);
        int64_t apart = 0;
        for (uint64_t i = 0; i < 20000; i++) {
            const float x = ldexpf(conform_normal(s, i), (int)(i % 40) - 30);
            const variant a = {.stretch = 1}, b = {.stretch = 1.618};
            const double y = (double)variant_round(&a, rounds[f], x);
            const double z = (double)variant_round(&b, rounds[f], x);
            const double allowed = conform_rounding_error(format, (double)x) * (1 + 0x1p-11);
            assert_true(y == conform_round_to(format, (double)x));
            assert_that(fabs(z - (double)x) <= allowed, "%a became %a", (double)x, z);
            apart += y != z;
            assert_true(variant_round(&b, rounds[f], (float)y) == (float)y);
        }
        assert_true(apart > 15000);
    }
    const variant b = {.stretch = 1.618};
    assert_true(variant_round(&b, IFN_ROUND_NONE, 1.2345678f) == 1.2345678f);
    assert_true(variant_round(&b, IFN_ROUND_F16, 60001.0f) == 60000.0f);
    assert_true(variant_round(&b, IFN_ROUND_F16, 65520.0f) == INFINITY);
}

/* In f16 a sum of ones stops at 2048; sums of blocks of 32 do not. */
TEST(sums_in_f16_are_kept_in_f16_block_by_block)
{
    enum { N = 4096 };
    static float ones[N];
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    variant v = all[0];
    v.a.sums = IFN_ROUND_F16;
    assert_true(sum_with(&v, ones, N) == 2048);
    v.a.sum_block = 32;
    assert_true(sum_with(&v, ones, N) == 4096);
    v = all[0];
    v.a.inputs = IFN_ROUND_BF16;
    v.stretch = 1;
    const float x[] = {1 + 0x1p-8f, 1 + 0x3p-8f};
    assert_true(sum_with(&v, x, 2) == 2 + 0x1p-6f);
}
