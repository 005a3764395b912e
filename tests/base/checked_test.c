#include "checked.h"

#include "test.h"

TEST(sums_say_when_they_wrap)
{
    size_t out;
    uint64_t out64;
    assert_true(ifn_add_size(SIZE_MAX - 1, 1, &out));
    assert_true(out == SIZE_MAX);
    assert_false(ifn_add_size(SIZE_MAX, 1, &out));
    assert_true(ifn_add_u64(UINT64_MAX, 0, &out64));
    assert_false(ifn_add_u64(UINT64_MAX, 2, &out64));
}

TEST(products_say_when_they_wrap)
{
    size_t out;
    uint64_t out64;
    int64_t signed_out;
    assert_true(ifn_mul_size(0, SIZE_MAX, &out));
    assert_true(ifn_mul_size(SIZE_MAX, 1, &out));
    assert_false(ifn_mul_size(SIZE_MAX / 2 + 1, 2, &out));
    assert_true(ifn_mul_u64(1ull << 32, (1ull << 32) - 1, &out64));
    assert_false(ifn_mul_u64(1ull << 32, 1ull << 32, &out64));
    assert_true(ifn_mul_i64(INT64_MAX, 1, &signed_out));
    assert_true(ifn_mul_i64(5, 0, &signed_out) && signed_out == 0);
    assert_false(ifn_mul_i64(INT64_MAX / 2 + 1, 2, &signed_out));
    assert_false(ifn_mul_i64(-1, 2, &signed_out));
}

TEST(rounding_up_stops_at_the_end)
{
    size_t out;
    assert_true(ifn_round_up_size(0, 64, &out) && out == 0);
    assert_true(ifn_round_up_size(1, 64, &out) && out == 64);
    assert_true(ifn_round_up_size(64, 64, &out) && out == 64);
    assert_false(ifn_round_up_size(SIZE_MAX - 3, 64, &out));
}
