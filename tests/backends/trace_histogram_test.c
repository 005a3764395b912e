#include "trace_histogram.h"

#include <stdlib.h>

#include "draw.h"
#include "test.h"

TEST(small_values_are_exact)
{
    trace_histogram h = {0};
    assert_int_equal(ifn_trace_histogram_percentile(&h, 0.5), 0);
    for (uint64_t v = 0; v < 32; v++)
        ifn_trace_histogram_add(&h, v);
    for (uint64_t v = 0; v < 32; v++)
        assert_int_equal(ifn_trace_histogram_percentile(&h, ((double)v + 1.0) / 32.0), v);
    assert_int_equal(ifn_trace_histogram_percentile(&h, 0.0), 0);
}

TEST(a_value_comes_back_to_within_a_32nd)
{
    for (uint64_t v = 1; v < (uint64_t)1 << 40; v += v / 7 + 1) {
        trace_histogram h = {0};
        ifn_trace_histogram_add(&h, v);
        const uint64_t got = ifn_trace_histogram_percentile(&h, 0.99);
        const uint64_t error = got > v ? got - v : v - got;
        assert_that(error * 32 <= v, "%llu became %llu", (unsigned long long)v,
                    (unsigned long long)got);
    }
}

TEST(what_is_longer_than_all_buckets_is_counted_in_the_last)
{
    trace_histogram h = {0};
    ifn_trace_histogram_add(&h, UINT64_MAX);
    assert_true(ifn_trace_histogram_percentile(&h, 0.5) >= ((uint64_t)1 << 40) / 32 * 31);
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Compares with the sorted values, which span six powers of ten, in two histograms that are merged. */
TEST(percentiles_are_those_of_the_sorted_values)
{
    enum { N = 1000 };
    static uint64_t values[N];
    static trace_histogram halves[2];
    uint64_t seed = 1;
    for (int i = 0; i < N; i++) {
        const uint32_t number = draw(&seed);
        values[i] = number >> draw_below(&seed, 32);
        ifn_trace_histogram_add(&halves[i % 2], values[i]);
    }
    ifn_trace_histogram_merge(&halves[0], &halves[1]);
    qsort(values, N, sizeof *values, compare);
    static const double shares[] = {0.01, 0.25, 0.5, 0.9, 0.99, 1.0};
    for (size_t i = 0; i < N_OF(shares); i++) {
        const double want = (double)values[(int)(shares[i] * N + 0.5) - 1];
        const double got = (double)ifn_trace_histogram_percentile(&halves[0], shares[i]);
        assert_that(got >= want * 31 / 32 - 1 && got <= want * 33 / 32,
                    "p%.2f: %.0f, expected %.0f", shares[i], got, want);
    }
}
