#include "f16.h"

#include <math.h>

#include "test.h"

/* Returns the value by the definition of the format, without bit tricks. */
static double value_of_f16(unsigned half)
{
    const int exponent = (int)(half >> 10 & 31), fraction = (int)(half & 1023);
    const double magnitude =
        exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    return half >> 15 ? -magnitude : magnitude;
}

static int is_nan_f16(unsigned half)
{
    return (half & 0x7fff) > 0x7c00;
}

TEST(every_finite_f16_has_the_value_its_bits_say)
{
    for (unsigned h = 0; h < 0x10000; h++) {
        if ((h & 0x7c00) == 0x7c00)
            continue;
        const float got = ifn_f16_to_f32((uint16_t)h);
        assert_that((double)got == value_of_f16(h) && !!signbit(got) == (int)(h >> 15),
                    "%04x is %a, expected %a", h, (double)got, value_of_f16(h));
    }
}

TEST(every_f16_survives_a_round_trip)
{
    for (unsigned h = 0; h < 0x10000; h++) {
        const unsigned want = is_nan_f16(h) ? h | 0x0200 : h;
        assert_int_equal(ifn_f32_to_f16(ifn_f16_to_f32((uint16_t)h)), want);
    }
}

TEST(infinities_and_nans_of_f16_stay_what_they_are)
{
    assert_true(ifn_f16_to_f32(0x7c00) == INFINITY);
    assert_true(ifn_f16_to_f32(0xfc00) == -INFINITY);
    for (unsigned h = 0x7c01; h < 0x8000; h++) {
        const uint32_t bits = ifn_f32_bits(ifn_f16_to_f32((uint16_t)h));
        assert_int_equal(bits, 0x7fc00000u | h << 13);
        assert_int_equal(ifn_f32_bits(ifn_f16_to_f32((uint16_t)(h | 0x8000))), bits | 0x80000000u);
    }
    assert_int_equal(ifn_f32_to_f16(ifn_f32_from_bits(0x7f800001)), 0x7e00);
    assert_int_equal(ifn_f32_to_f16(ifn_f32_from_bits(0xffffe000)), 0xffff);
}

/* Between every two neighbours a value just below the middle rounds down, one just above rounds up, and the middle
 * to even. */
TEST(f16_rounds_to_nearest_ties_to_even)
{
    for (unsigned h = 0; h < 0x7c00; h++) {
        const double up = h == 0x7bff ? 65536.0 : value_of_f16(h + 1);
        const float middle = (float)((value_of_f16(h) + up) / 2);
        const unsigned even = h % 2 ? h + 1 : h;
        for (unsigned sign = 0; sign < 2; sign++) {
            const float s = sign ? -1.0f : 1.0f;
            assert_int_equal(ifn_f32_to_f16(s * nextafterf(middle, 0.0f)), sign << 15 | h);
            assert_int_equal(ifn_f32_to_f16(s * middle), sign << 15 | even);
            assert_int_equal(ifn_f32_to_f16(s * nextafterf(middle, INFINITY)),
                             sign << 15 | (h + 1));
        }
    }
}

TEST(f16_overflows_to_infinity_and_underflows_to_zero)
{
    assert_int_equal(ifn_f32_to_f16(65519.996f), 0x7bff);
    assert_int_equal(ifn_f32_to_f16(65520.0f), 0x7c00);
    assert_int_equal(ifn_f32_to_f16(-3.4e38f), 0xfc00);
    assert_int_equal(ifn_f32_to_f16(-INFINITY), 0xfc00);
    assert_int_equal(ifn_f32_to_f16(0x1p-25f), 0);
    assert_int_equal(ifn_f32_to_f16(-0x1p-149f), 0x8000);
}

TEST(every_bf16_survives_a_round_trip)
{
    for (unsigned h = 0; h < 0x10000; h++) {
        const int is_nan = (h & 0x7fff) > 0x7f80;
        assert_int_equal(ifn_f32_bits(ifn_bf16_to_f32((uint16_t)h)), h << 16);
        assert_int_equal(ifn_f32_to_bf16(ifn_f32_from_bits(h << 16)), is_nan ? h | 0x40 : h);
    }
}

TEST(bf16_rounds_to_nearest_ties_to_even)
{
    for (unsigned h = 0; h < 0x10000; h++) {
        if ((h & 0x7f80) == 0x7f80)
            continue;
        assert_int_equal(ifn_f32_to_bf16(ifn_f32_from_bits(h << 16 | 0x7fff)), h);
        assert_int_equal(ifn_f32_to_bf16(ifn_f32_from_bits(h << 16 | 0x8000)), h + h % 2);
        assert_int_equal(ifn_f32_to_bf16(ifn_f32_from_bits(h << 16 | 0x8001)), h + 1);
    }
    assert_int_equal(ifn_f32_to_bf16(3.4028235e38f), 0x7f80);
    assert_int_equal(ifn_f32_to_bf16(ifn_f32_from_bits(0x7f800001)), 0x7fc0);
}
