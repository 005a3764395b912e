#include "bench_roof.h"

#include <string.h>

#include "test.h"

static void expect_share(double rate, double ceiling, const char *level, const char *expected)
{
    char text[64];
    bench_share_text(rate, ceiling, "GB/s", level, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST(nothing_has_more_than_all_of_the_speed_of_memory)
{
    expect_share(20e9, 40e9, "memory", "50 % of 40 GB/s (memory)");
    expect_share(40e9, 40e9, "L2", "100 % of 40 GB/s (L2)");
    expect_share(53e9, 40e9, "memory", "cache");
    expect_share(1e9, 0, "memory", "no ceiling was measured");
    expect_share(2e9, 1e9, "", "above what was measured");
    assert_true(bench_share(53e9, 40e9) == 0);
    assert_true(bench_share(20e9, 40e9) == 0.5);
}

TEST(what_was_measured_once_is_known)
{
    bench_roof roof;
    bench_roof_open(&roof);
    const double first = bench_roof_reading(&roof, 1, 100 << 10);
    assert_true(first > 0);
    /* the same power of two */
    assert_true(bench_roof_reading(&roof, 1, 64 << 10) == first);
    assert_int_equal(roof.n_readings, 1);
    assert_int_equal(roof.readings[0].bytes, 64 << 10);
    (void)bench_roof_reading(&roof, 1, 1 << 10);
    assert_int_equal(roof.readings[1].bytes, 4096);
}

TEST(where_bytes_lie_has_a_name)
{
    bench_roof roof = {.caches = {2, {{"L1", 32768}, {"L2", 1 << 20}}}};
    assert_string_equal(bench_roof_memory(&roof, 1, 1000), "L1");
    assert_string_equal(bench_roof_memory(&roof, 1, 1 << 20), "L2");
    assert_string_equal(bench_roof_memory(&roof, 1, 2 << 20), "memory");
}
