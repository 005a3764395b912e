#include "gen_regimes.h"

#include "gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "test.h"

enum { ROWS = 64, COLS = 128, N = ROWS * COLS };

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void fill(conform_family family, conform_operand operand, float *x)
{
    const conform_case c = {.tier = TIER_T1, .family = family, .seed = 7};
    conform_fill_f32(&c, "x", operand, COLS, x, ROWS, COLS, COLS);
}

/* Returns how many elements of a block have these bits. */
static int count_bits(const float *block, uint32_t bits)
{
    int n = 0;
    for (int i = 0; i < 32; i++)
        n += bits_of(block[i]) == bits;
    return n;
}

static float largest_of(const float *block)
{
    float most = 0;
    for (int i = 0; i < 32; i++)
        most = fmaxf(most, fabsf(block[i]));
    return most;
}

TEST(zeros_fill_blocks_and_rows)
{
    static float x[N];
    int plus = 0, minus = 0, both = 0, full = 0, rows = 0;
    fill(FAMILY_ZEROS, OPERAND_A, x);
    for (int b = 0; b < N / 32; b++) {
        const int n_plus = count_bits(x + 32 * b, 0), n_minus = count_bits(x + 32 * b, 0x80000000);
        plus += n_plus == 32;
        minus += n_minus == 32;
        both += n_plus && n_minus && n_plus + n_minus == 32;
        full += n_plus + n_minus == 0;
    }
    for (int r = 0; r < ROWS; r++) {
        int n = 0;
        for (int i = 0; i < COLS; i++)
            n += bits_of(x[r * COLS + i]) == 0x80000000;
        rows += n == COLS;
    }
    assert_true(plus > 10 && minus > 10 && both > 10 && full > 5 && rows > 2);
}

/* Returns how many elements of a block are x times `factor` in magnitude. */
static int like(const float *block, float x, float factor)
{
    int n = 0;
    for (int i = 0; i < 32; i++)
        n += fabsf(block[i]) == fabsf(x) * factor;
    return n;
}

/* All values of a block are equal in magnitude, except for about one in a hundred of some rows: that is half as
 * large, or larger by 2^-12 to 2^-19, relative. */
TEST(constants_are_often_one)
{
    static const float others[] = {0.5f, 1 + 0x1p-12f, 1 + 0x1p-16f, 1 + 0x1p-19f};
    static float x[N];
    int ones = 0, alike = 0, whole = 0;
    fill(FAMILY_CONSTANT, OPERAND_PLAIN, x);
    for (int b = 0; b < N / 32; b++) {
        const float *const block = x + 32 * b;
        const bool is_first = like(block, block[0], 1) > like(block, block[1], 1);
        const float value = is_first ? block[0] : block[1];
        int n = like(block, value, 1);
        whole += n == 32;
        for (size_t i = 0; i < N_OF(others); i++)
            n += like(block, value, others[i]);
        assert_int_equal(n, 32);
        ones += fabsf(value) == 1;
        alike += count_bits(x + 32 * b, bits_of(x[32 * b])) == 32;
    }
    assert_true(whole > N / 32 / 2 && whole < N / 32);
    assert_true(ones > 30 && alike > 60 && alike < 220);
}

TEST(twins_are_two_maxima)
{
    static float x[N];
    int one_sign = 0, ones = 0;
    fill(FAMILY_TWINS, OPERAND_A, x);
    for (int b = 0; b < N / 32; b++) {
        const float most = largest_of(x + 32 * b);
        const int plus = count_bits(x + 32 * b, bits_of(most));
        assert_int_equal(plus + count_bits(x + 32 * b, bits_of(-most)), 2);
        one_sign += plus != 1;
        ones += most == 1;
    }
    assert_in_range(one_sign, 80, 180);
    assert_true(ones > 30);
}

TEST(one_element_decides)
{
    static float x[N];
    int deep = 0;
    fill(FAMILY_OUTLIER, OPERAND_B, x);
    for (int b = 0; b < N / 32; b++) {
        int large = 0;
        for (int i = 0; i < 32; i++) {
            large += fabsf(x[32 * b + i]) > 64;
            deep += fabsf(x[32 * b + i]) < 0x1p-14f;
        }
        assert_int_equal(large, 1);
    }
    assert_in_range(deep, N / 4, 3 * N / 4);
}

/* Stored scales of Q8_0: some are subnormal, some are zero, some are normal. */
TEST(scales_lie_on_both_sides_of_their_edges)
{
    static float x[N];
    int gone = 0, subnormal = 0, normal = 0, gone_q8_32f = 0, infinite = 0;
    fill(FAMILY_EDGES, OPERAND_PLAIN, x);
    for (int b = 0; b < N / 32; b++) {
        const float most = largest_of(x + 32 * b);
        const uint16_t d = conform_f16_nearest((double)(most / 127.0f));
        assert_true(most > 0);
        gone += d == 0;
        subnormal += d > 0 && d < 0x400;
        normal += d >= 0x400;
        infinite += d == 0x7c00;
        gone_q8_32f += most < 0x1p-118f;
    }
    assert_true(gone > 20 && subnormal > 20 && normal > 5 && gone_q8_32f > 10);
    assert_true(infinite > 0);
}

TEST(walls_come_first_and_end)
{
    static float x[N];
    fill(FAMILY_WALL, OPERAND_LOGIT, x);
    int n_finite = 0;
    for (int r = 0; r < ROWS; r++)
        for (int i = 0; i < COLS; i++) {
            assert_true(i >= 8 || x[r * COLS + i] == -INFINITY);
            n_finite += isfinite(x[r * COLS + i]) != 0;
        }
    assert_in_range(n_finite, N / 8, 7 * N / 8);
}

/* In some long rows -inf fills the first half: more than a kernel reads at once. */
TEST(half_of_a_long_row_is_behind_a_wall)
{
    enum { LONG = 16384, FEW = 24 };
    static float x[FEW * LONG];
    const conform_case c = {.tier = TIER_T1, .family = FAMILY_WALL, .seed = 7};
    int n_long = 0;
    conform_fill_f32(&c, "x", OPERAND_LOGIT, LONG, x, FEW, LONG, LONG);
    for (int r = 0; r < FEW; r++) {
        int first = 0; /* index of the first finite element */
        while (first < LONG && x[r * LONG + first] == -INFINITY)
            first++;
        assert_true(first < LONG);
        n_long += first >= LONG / 2;
    }
    assert_in_range(n_long, FEW / 6, FEW / 2);
}

TEST(patterns_hold_every_kind_of_nan)
{
    static float x[N];
    int signalling = 0, negative = 0, payload = 0, minus_zero = 0;
    fill(FAMILY_PATTERNS, OPERAND_PLAIN, x);
    for (int i = 0; i < N; i++) {
        const uint32_t bits = bits_of(x[i]);
        const int is_nan = (bits & 0x7fffffff) > 0x7f800000;
        signalling += is_nan && !(bits & 0x400000);
        negative += is_nan && bits >> 31;
        payload += is_nan && bits & 0x3fffff;
        minus_zero += bits == 0x80000000;
    }
    assert_true(signalling > 100 && negative > 100 && payload > 100 && minus_zero > 100);
}

/* The inputs of a maximum are sometimes NaN only, or NaN and -inf only, or half NaN. */
TEST(some_patterns_have_no_number)
{
    static float x[N];
    int all_nan = 0, beside_inf = 0, beside_numbers = 0;
    for (uint64_t seed = 0; seed < 16; seed++) {
        const conform_case c = {.tier = TIER_SPECIAL, .family = FAMILY_PATTERNS, .seed = seed};
        int n_nan = 0, n_inf = 0, n_finite = 0, kinds = 0;
        conform_fill_f32(&c, "x", OPERAND_LOGIT, 1, x, 1, N, N);
        for (int i = 0; i < N; i++) {
            n_nan += isnan(x[i]) != 0;
            n_inf += x[i] == -INFINITY;
            n_finite += isfinite(x[i]) != 0;
            kinds += isnan(x[i]) && bits_of(x[i]) != bits_of(x[0]);
        }
        all_nan += n_nan == N && kinds > N / 2;
        beside_inf += n_nan < N && n_nan + n_inf == N && n_finite == 0;
        beside_numbers += n_nan > N / 3 && n_finite > N / 3 && n_nan + n_finite == N;
    }
    assert_in_range(all_nan, 1, 12);
    assert_in_range(beside_inf, 1, 12);
    assert_in_range(beside_numbers, 1, 12);
}

static int is_special(float x)
{
    return !isfinite(x) || x == 0 || fabsf(x) < 0x1p-126f || fabsf(x) > 1e30f;
}

/* A special value stands alone in a row, often at its end, and sometimes meets blocks of zeros of the other factor. */
TEST(specials_stand_alone_and_beside_zeros)
{
    static float a[N], b[N];
    int lone = 0, last = 0, on_zeros[2] = {0, 0};
    for (uint64_t seed = 0; seed < 32; seed++) {
        const conform_case c = {.tier = TIER_SPECIAL, .family = FAMILY_SPECIALS, .seed = seed};
        const conform_placing placing = conform_placing_of(&c);
        int n_a = 0, zeros[2] = {0, 0};
        conform_fill_f32(&c, "a", OPERAND_A, COLS, a, ROWS, COLS, COLS);
        conform_fill_f32(&c, "b", OPERAND_B, COLS, b, ROWS, COLS, COLS);
        for (int r = 0; r < ROWS; r++) {
            int n = 0;
            for (int i = 0; i < COLS; i++)
                n += is_special(a[r * COLS + i]);
            if (placing == PLACING_LONE)
                assert_int_equal(n, 1);
            last += placing == PLACING_LONE && is_special(a[r * COLS + COLS - 1]);
            n_a += n;
        }
        for (int i = 0; i < N; i++) {
            zeros[0] += a[i] == 0;
            zeros[1] += b[i] == 0;
        }
        lone += placing == PLACING_LONE;
        for (int i = 0; i < 2 && placing == PLACING_ON_ZEROS; i++)
            on_zeros[i] += zeros[i] > N / 4 && zeros[1 - i] < N / 16;
        assert_true(n_a > 0);
    }
    assert_true(last > lone * ROWS / 8 && last < lone * ROWS);
    assert_true(lone > 8 && on_zeros[0] > 0 && on_zeros[1] > 0);
}

TEST(a_family_has_nothing_but_specials_on_zeros)
{
    int n_first = 0;
    for (uint64_t seed = 0; seed < 32; seed++) {
        const conform_case c = {.tier = TIER_SPECIAL, .family = FAMILY_ON_ZEROS, .seed = seed};
        assert_int_equal(conform_placing_of(&c), PLACING_ON_ZEROS);
        n_first += conform_has_zeros(&c, OPERAND_A);
        assert_int_not_equal(conform_has_zeros(&c, OPERAND_A), conform_has_zeros(&c, OPERAND_B));
    }
    assert_in_range(n_first, 8, 24);
}

/* In some blocks zeros of both signs are the smallest values, or the largest. */
TEST(zeros_are_at_an_end_of_blocks)
{
    static float x[N];
    int least = 0, most = 0;
    for (uint64_t seed = 0; seed < 64; seed++) {
        const conform_case c = {.tier = TIER_T1, .family = FAMILY_ZEROS, .seed = seed};
        conform_fill_f32(&c, "x", OPERAND_PLAIN, 1, x, ROWS, COLS, COLS);
        for (int b = 0; b + 32 <= N; b += 32) {
            int signs = 0, n_above = 0, n_below = 0;
            for (int i = b; i < b + 32; i++) {
                signs |= x[i] == 0 ? signbit(x[i]) ? 1 : 2 : 0;
                n_above += x[i] > 0;
                n_below += x[i] < 0;
            }
            least += signs == 3 && n_above > 0 && n_below == 0;
            most += signs == 3 && n_below > 0 && n_above == 0;
        }
    }
    assert_true(least > 8 && most > 8);
}

/* In every other case of small numbers the factors are normal and only the products are subnormal. */
TEST(products_are_subnormal_where_factors_are_not)
{
    static float x[N];
    int n = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        const conform_case c = {.tier = TIER_T1, .family = FAMILY_TINY, .seed = seed};
        conform_fill_f32(&c, "x", OPERAND_A, COLS, x, ROWS, COLS, COLS);
        const float most = largest_of(x);
        n += most >= 0x1p-126f && most * most < 0x1p-120f && most * most > 0;
    }
    assert_in_range(n, 2, 6);
}

TEST(the_same_values_go_to_every_operand)
{
    const conform_case c = {.tier = TIER_T1, .family = FAMILY_SAME, .seed = 5};
    float x[64], y[64];
    conform_fill_f32(&c, "x", OPERAND_PLAIN, 1, x, 2, 32, 32);
    conform_fill_f32(&c, "gate", OPERAND_LOGIT, 1, y, 2, 32, 32);
    assert_memory_equal(x, y, sizeof x);
}

TEST(tails_and_ends)
{
    static float x[N];
    int zeros = 0, far = 0;
    fill(FAMILY_SPARSE, OPERAND_A, x);
    for (int i = 0; i < N; i++)
        zeros += x[i] == 0;
    assert_in_range(zeros, N * 27 / 32, N * 29 / 32);
    fill(FAMILY_LAPLACE, OPERAND_A, x);
    for (int i = 0; i < N; i++)
        far += fabsf(x[i]) > 4;
    assert_in_range(far, N / 100, N / 30); /* exp(-4) is 0.018 */
    fill(FAMILY_LARGEST, OPERAND_PLAIN, x);
    for (int i = 0; i < N; i++)
        assert_true(fabsf(x[i]) == 0x1.fffffep127f);
}

/* Weights of a norm and second factors keep their usual size where the other operands go to an extreme. */
TEST(other_operands_stay)
{
    static const conform_family families[] = {FAMILY_EDGES, FAMILY_LARGEST, FAMILY_OUTLIER};
    static float x[N];
    for (size_t i = 0; i < N_OF(families); i++) {
        fill(families[i], OPERAND_WEIGHT, x);
        for (int j = 0; j < N; j++)
            assert_true(x[j] > 0.2f && x[j] < 1.8f);
    }
}

TEST(bases_of_rope_are_those_of_models)
{
    int other = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        const conform_case plain = {.family = FAMILY_NORMAL, .seed = seed},
                           c = {.family = FAMILY_SCALARS, .seed = seed};
        assert_true(conform_rope_base(&plain) == 10000);
        assert_true(conform_rope_base(&c) != 10000);
        other |= conform_rope_base(&c) == 500000 ? 1 : conform_rope_base(&c) == 1000000 ? 2 : 0;
    }
    assert_int_equal(other, 3);
}

/* The list of families with a regime and the families that give a value are the same. */
TEST(families_without_a_regime_have_no_value)
{
    float value;
    for (int f = 0; f < FAMILY_COUNT; f++) {
        const conform_case c = {.tier = TIER_T1, .family = (conform_family)f, .seed = 7};
        const conform_place p = {.along = 3, .length = COLS, .which = 1, .index = COLS + 3};
        const conform_stream s = conform_stream_of(c.seed, "x");
        int has_value = 0;
        for (int o = OPERAND_A; o <= OPERAND_LOGIT; o++)
            has_value |= conform_regime_value(&c, s, (conform_operand)o, p, &value);
        assert_int_equal(has_value, conform_has_regime(&c));
    }
}
