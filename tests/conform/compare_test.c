/* The ways in which comparisons have been fooled (numerics 13): the comparator must see each. */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { ROWS = 20, COLS = 67, N = ROWS * COLS };

static float got[N];
static double want[N], bound[N];
static unsigned char wrong[N * sizeof(float)], skip_all[N]; /* raw truths mark bytes */

static const conform_tensor matrix = {.name = "out",
                                      .element = ELEMENT_F32,
                                      .rows = ROWS,
                                      .cols = COLS,
                                      .stride = COLS,
                                      .bytes = sizeof got,
                                      .align = 4};

static const conform_truth bounded = {.class = CLASS_BOUND, .want = want, .bound = bound};
static const conform_truth bitwise = {.class = CLASS_BITS, .want = want};

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        got[i] = (float)(i % 17) - 8.5f;
        want[i] = (double)got[i];
        bound[i] = 1e-6;
    }
    return 0;
}

static conform_result judge(const conform_truth *truth)
{
    conform_result r;
    conform_compare(&matrix, got, truth, &r, wrong);
    return r;
}

static void expect_wrong(const conform_truth *truth, int64_t n, int64_t first)
{
    const conform_result r = judge(truth);
    assert_int_equal(r.n_wrong, n);
    assert_int_equal(r.first_wrong, first);
    assert_int_equal(r.n_compared + r.n_skipped, N);
}

static void what_is_right_is_accepted(void **state)
{
    (void)state;
    expect_wrong(&bounded, 0, -1);
    expect_wrong(&bitwise, 0, -1);
    assert_true(judge(&bounded).ratio == 0);
}

static void a_nan_that_was_not_wanted_fails(void **state)
{
    (void)state;
    got[100] = NAN;
    expect_wrong(&bounded, 1, 100);
    expect_wrong(&bitwise, 1, 100);
    assert_true(judge(&bounded).ratio == (double)INFINITY);
}

static void a_nan_that_was_wanted_must_be_there(void **state)
{
    (void)state;
    want[100] = (double)NAN;
    expect_wrong(&bounded, 1, 100);
    expect_wrong(&bitwise, 1, 100);
    got[100] = -NAN;
    expect_wrong(&bounded, 0, -1);
    expect_wrong(&bitwise, 0, -1);
}

static void a_bound_that_is_nan_accepts_nothing(void **state)
{
    (void)state;
    bound[7] = (double)NAN;
    got[7] += 1;
    expect_wrong(&bounded, 1, 7);
}

static void infinities_are_compared_by_sign(void **state)
{
    (void)state;
    want[3] = (double)INFINITY;
    got[3] = INFINITY;
    expect_wrong(&bounded, 0, -1);
    got[3] = -INFINITY;
    expect_wrong(&bounded, 1, 3);
    got[3] = 3e38f;
    expect_wrong(&bounded, 1, 3);
    set_up(NULL);
    got[3] = INFINITY; /* want[3] is finite */
    expect_wrong(&bounded, 1, 3);
}

static void one_wrong_element_among_a_million_is_found(void **state)
{
    (void)state;
    enum { MANY = 1000000 };
    float *many = calloc(MANY, sizeof *many);
    double *zeros = calloc(MANY, sizeof *zeros), *little = calloc(MANY, sizeof *little);
    conform_tensor t = matrix;
    conform_result r;
    t.rows = 1000;
    t.cols = t.stride = 1000;
    t.bytes = MANY * sizeof *many;
    for (int i = 0; i < MANY; i++)
        little[i] = 1e-30;
    many[654321] = 2e-30f;
    const conform_truth truth = {.class = CLASS_BOUND, .want = zeros, .bound = little};
    conform_compare(&t, many, &truth, &r, NULL);
    assert_int_equal(r.n_wrong, 1);
    assert_int_equal(r.first_wrong, 654321);
    assert_int_equal(r.worst, 654321);
    assert_true(r.ratio > 1.9 && r.ratio < 2.1);
    free(many);
    free(zeros);
    free(little);
}

static void swapped_rows_are_found(void **state)
{
    (void)state;
    for (int c = 0; c < COLS; c++) {
        const float t = got[c];
        got[c] = got[COLS + c];
        got[COLS + c] = t;
    }
    assert_int_equal(judge(&bounded).n_wrong, 2 * COLS);
}

static void a_tail_that_is_off_by_one_is_found(void **state)
{
    (void)state;
    for (int r = 0; r < ROWS; r++)
        got[r * COLS + COLS - 1] = 100;
    assert_int_equal(judge(&bounded).n_wrong, ROWS);
}

static void stale_output_is_found(void **state)
{
    (void)state;
    uint32_t prefill = 0x7fa5a3a1;
    memcpy(&got[5], &prefill, sizeof prefill);
    expect_wrong(&bounded, 1, 5);
    expect_wrong(&bitwise, 1, 5);
}

static void an_oracle_that_returns_zeros_passes_nobody(void **state)
{
    (void)state;
    memset(want, 0, sizeof want);
    assert_int_equal(judge(&bounded).n_wrong, N);
    memset(bound, 0, sizeof bound);
    assert_int_equal(judge(&bounded).n_wrong, N);
}

/* A second comparison gives the same result as the first: bounds do not grow with what was compared before. */
static void a_verdict_does_not_depend_on_earlier_elements(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++)
        got[i] += 2e-6f * (float)(1 + i % 3);
    const conform_result first = judge(&bounded), second = judge(&bounded);
    assert_memory_equal(&first, &second, sizeof first);
    for (int i = 0; i < N; i++)
        assert_int_equal(wrong[i], fabs((double)got[i] - want[i]) > bound[i]);
}

static void zeros_of_either_sign_are_equal_only_within_bounds(void **state)
{
    (void)state;
    want[9] = 0;
    got[9] = -0.0f;
    expect_wrong(&bounded, 0, -1);
    expect_wrong(&bitwise, 1, 9);
}

static void what_is_skipped_is_counted_and_never_compared(void **state)
{
    (void)state;
    conform_truth truth = bounded;
    conform_result r;
    memset(skip_all, 1, sizeof skip_all);
    truth.skip = skip_all;
    got[4] = NAN;
    r = judge(&truth);
    assert_int_equal(r.n_wrong, 0);
    assert_int_equal(r.n_compared, 0);
    assert_int_equal(r.n_skipped, N);
    assert_int_equal(r.worst, -1);
}

/* The truth is infinite or NaN everywhere, so every finite element is wrong. */
static void what_is_infinite_or_nan_is_compared_as_that(void **state)
{
    (void)state;
    conform_truth truth = bounded;
    memset(skip_all, SKIP_INFINITE, sizeof skip_all);
    truth.skip = skip_all;
    for (int i = 0; i < N; i++)
        got[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -INFINITY;
    conform_result r = judge(&truth);
    assert_int_equal(r.n_wrong, 0);
    assert_int_equal(r.n_compared, N);
    got[4] = 65504;
    r = judge(&truth);
    assert_int_equal(r.n_wrong, 1);
    assert_int_equal(r.first_wrong, 4);
}

static void raw_bytes_see_the_payload_of_a_nan(void **state)
{
    (void)state;
    unsigned char raw[sizeof got];
    memcpy(raw, got, sizeof got);
    const conform_truth truth = {.class = CLASS_RAW, .raw = raw};
    assert_int_equal(judge(&truth).n_wrong, 0);
    raw[10] ^= 1;
    assert_int_equal(judge(&truth).first_wrong, 10);
    unsigned char mask[sizeof got];
    memset(mask, 0xff, sizeof mask);
    mask[10] = 0;
    conform_truth masked = truth;
    masked.raw_mask = mask;
    assert_int_equal(judge(&masked).n_wrong, 0);
    mask[10] = 0xfe; /* the mask counts bit by bit: it leaves out the one bit that differs */
    assert_int_equal(judge(&masked).n_wrong, 0);
    mask[10] = 0x01;
    assert_int_equal(judge(&masked).n_wrong, 1);
}

/* One block of Q8_32F: 127, 64, -64 and zeros, in units of 1. */
static const conform_tensor blocks = {.name = "out",
                                      .role = ROLE_OUT,
                                      .element = ELEMENT_BLOCKS,
                                      .dtype = IFN_DTYPE_Q8_32F,
                                      .rows = 1,
                                      .cols = 32,
                                      .stride = 1,
                                      .bytes = 40};

static void blocks_are_judged_by_what_they_stand_for(void **state)
{
    ifn_block_q8_32f block = {.d = 1, .s = 127, .qs = {127, 64, -64}};
    double block_want[32] = {127, 64.4, -64}, block_bound[32];
    unsigned char skip[32] = {0};
    const conform_truth truth = {
        .class = CLASS_DECODED, .want = block_want, .bound = block_bound, .skip = skip};
    conform_result r;
    (void)state;
    for (int i = 0; i < 32; i++)
        block_bound[i] = 0.5;
    conform_compare(&blocks, &block, &truth, &r, wrong);
    assert_true(r.n_wrong == 0 && r.n_compared == 32 && r.worst == 1);
    block_want[2] = -65;
    conform_compare(&blocks, &block, &truth, &r, wrong);
    assert_true(r.n_wrong == 1 && r.first_wrong == 2);
    block.s = 126; /* a block that no quantizer produces is wrong in every element */
    conform_compare(&blocks, &block, &truth, &r, wrong);
    assert_int_equal(r.n_wrong, 32);
    block_want[2] = (double)NAN;
    conform_compare(&blocks, &block, &truth, &r, wrong);
    assert_int_equal(r.n_wrong, 32);
    memset(skip, 1, sizeof skip);
    conform_compare(&blocks, &block, &truth, &r, wrong);
    assert_int_equal(r.n_skipped, 32);
}

static void pairs_of_blocks_are_allowed_both_bounds(void **state)
{
    ifn_block_q8_32f one = {.d = 1, .s = 130, .qs = {127, 3}}, other = one;
    double block_want[32] = {127, 3}, block_bound[32] = {0.5, 0.5};
    unsigned char skip[32] = {0};
    const conform_truth truth = {
        .class = CLASS_DECODED, .want = block_want, .bound = block_bound, .skip = skip};
    conform_result r;
    (void)state;
    other.qs[1] = 4;
    other.s++;
    conform_compare_pair(&blocks, &one, &other, &truth, &truth, &r);
    assert_true(r.n_wrong == 0 && r.ratio == 1);
    other.qs[1] = 5;
    other.s++;
    conform_compare_pair(&blocks, &one, &other, &truth, &truth, &r);
    assert_int_equal(r.n_wrong, 1);
}

/* Errors of 3 and 4 in two elements are an error of 5 of the block. */
static void searched_blocks_are_judged_as_a_whole(void **state)
{
    const ifn_block_q8_32f block = {.d = 1, .s = 127, .qs = {127}};
    double block_want[32] = {124, -4}, block_bound[32] = {5};
    unsigned char skip[32] = {0};
    const conform_truth truth = {
        .class = CLASS_QUALITY, .want = block_want, .bound = block_bound, .skip = skip};
    conform_result r;
    (void)state;
    conform_compare(&blocks, &block, &truth, &r, wrong);
    assert_true(r.n_wrong == 0 && r.ratio == 1);
    block_bound[0] = 4.99;
    conform_compare(&blocks, &block, &truth, &r, wrong);
    assert_int_equal(r.n_wrong, 32);
    for (int i = 0; i < 32; i++)
        block_want[i] = (double)NAN;
    conform_compare(&blocks, &block, &truth, &r, wrong);
    assert_int_equal(r.n_wrong, 32);
}

/* The reference's error is 5 over the whole set: 5.05 is allowed, and a few blocks have no bound of their own. */
static void searched_sets_are_compared_by_their_error(void **state)
{
    const ifn_block_q8_32f other = {.d = 1, .s = 127, .qs = {127}};
    ifn_block_q8_32f block = other;
    double block_want[32] = {124, -4}, block_bound[32] = {0};
    unsigned char skip[32] = {0};
    conform_truth truth = {.class = CLASS_QUALITY,
                           .want = block_want,
                           .bound = block_bound,
                           .skip = skip,
                           .is_row_set = 1};
    conform_result r;
    (void)state;
    conform_compare_pair(&blocks, &block, &other, &truth, &truth, &r);
    assert_true(r.n_wrong == 0 && r.n_compared == 1 && fabs(r.ratio - 1 / 1.01) < 1e-12);
    block.qs[2] = 1; /* 26 > 1.0201 * 25 */
    block.s++;
    conform_compare_pair(&blocks, &block, &other, &truth, &truth, &r);
    assert_int_equal(r.n_wrong, 1);
    truth.is_row_set = 0;
    conform_compare_pair(&blocks, &block, &other, &truth, &truth, &r);
    assert_int_equal(r.n_compared, 0);
}

static void a_pair_is_allowed_both_bounds_and_not_more(void **state)
{
    (void)state;
    float other[N];
    conform_result r;
    memcpy(other, got, sizeof other);
    got[6] = 1.0f;
    other[6] = 1.0f + 1.5e-6f;
    conform_compare_pair(&matrix, got, other, &bounded, &bounded, &r);
    assert_int_equal(r.n_wrong, 0);
    other[6] = 1.0f + 2.5e-6f;
    conform_compare_pair(&matrix, got, other, &bounded, &bounded, &r);
    assert_int_equal(r.n_wrong, 1);
    other[6] = NAN;
    conform_compare_pair(&matrix, got, other, &bounded, &bounded, &r);
    assert_int_equal(r.n_wrong, 1);
    other[6] = nextafterf(1.0f, 2.0f);
    conform_compare_pair(&matrix, got, other, &bitwise, &bitwise, &r);
    assert_int_equal(r.n_wrong, 1);
}

static void distances_cross_zero(void **state)
{
    (void)state;
    assert_int_equal(conform_ulp_distance(1.0f, nextafterf(1.0f, 2.0f)), 1);
    assert_int_equal(conform_ulp_distance(0x1p-149f, -0x1p-149f), 2);
    assert_int_equal(conform_ulp_distance(0.0f, -0.0f), 0);
    assert_true(conform_ulp_distance(NAN, 1.0f) == INT64_MAX);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup(name, set_up)
    const struct CMUnitTest tests[] = {
        CASE(what_is_right_is_accepted),
        CASE(a_nan_that_was_not_wanted_fails),
        CASE(a_nan_that_was_wanted_must_be_there),
        CASE(a_bound_that_is_nan_accepts_nothing),
        CASE(infinities_are_compared_by_sign),
        CASE(one_wrong_element_among_a_million_is_found),
        CASE(swapped_rows_are_found),
        CASE(a_tail_that_is_off_by_one_is_found),
        CASE(stale_output_is_found),
        CASE(an_oracle_that_returns_zeros_passes_nobody),
        CASE(a_verdict_does_not_depend_on_earlier_elements),
        CASE(zeros_of_either_sign_are_equal_only_within_bounds),
        CASE(what_is_skipped_is_counted_and_never_compared),
        CASE(what_is_infinite_or_nan_is_compared_as_that),
        CASE(raw_bytes_see_the_payload_of_a_nan),
        CASE(blocks_are_judged_by_what_they_stand_for),
        CASE(pairs_of_blocks_are_allowed_both_bounds),
        CASE(searched_blocks_are_judged_as_a_whole),
        CASE(searched_sets_are_compared_by_their_error),
        CASE(a_pair_is_allowed_both_bounds_and_not_more),
        CASE(distances_cross_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
