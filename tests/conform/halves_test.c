/* Conversion of f16 and bf16 by arithmetic, without bit patterns. */
#include <math.h>

#include "halves.h"
#include "test.h"

TEST(f16_values)
{
    assert_true(conform_f16_value(0x3c00) == 1);
    assert_true(conform_f16_value(0xc200) == -3);
    assert_true(conform_f16_value(0x7bff) == 65504);
    assert_true(conform_f16_value(0x0001) == 0x1p-24);
    assert_true(conform_f16_value(0x0400) == 0x1p-14);
    assert_true(conform_f16_value(0x8000) == 0 && signbit(conform_f16_value(0x8000)));
    assert_true(isinf(conform_f16_value(0x7c00)) && isnan(conform_f16_value(0x7c01)));
}

TEST(every_f16_is_its_own_nearest)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        const double x = conform_f16_value((uint16_t)bits);
        if (isnan(x))
            assert_int_equal(conform_f16_nearest(x) & 0x7fff, 0x7e00);
        else
            assert_int_equal(conform_f16_nearest(x), bits);
    }
}

TEST(f16_rounds_once_to_even)
{
    assert_int_equal(conform_f16_nearest(1 + 0x1p-11), 0x3c00);
    assert_int_equal(conform_f16_nearest(1 + 3 * 0x1p-11), 0x3c02);
    assert_int_equal(conform_f16_nearest(1 + 0x1p-11 + 0x1p-40), 0x3c01);
    assert_int_equal(conform_f16_nearest(-65519.99), 0xfbff);
    assert_int_equal(conform_f16_nearest(65520), 0x7c00);
    assert_int_equal(conform_f16_nearest(1e300), 0x7c00);
    assert_int_equal(conform_f16_nearest(0x1p-25), 0);
    assert_int_equal(conform_f16_nearest(0x1.8p-24), 2);
    assert_int_equal(conform_f16_nearest(0x1.ffep-15), 0x0400); /* up to the least normal */
}

TEST(bf16_is_the_upper_half_rounded)
{
    assert_true(conform_bf16_value(0x3fc0) == 1.5);
    assert_int_equal(conform_bf16_nearest(1 + 0x1p-8), 0x3f80);
    assert_int_equal(conform_bf16_nearest(1 + 3 * 0x1p-8), 0x3f82);
    assert_int_equal(conform_bf16_nearest(0x1.fffffep127), 0x7f80);
    assert_int_equal(conform_bf16_nearest(-0x1p-134), 0x8000);
    assert_int_equal(conform_bf16_nearest(0x1.8p-133), 2);
    for (uint32_t bits = 0; bits < 0x10000; bits++)
        if (!isnan(conform_bf16_value((uint16_t)bits)))
            assert_int_equal(conform_bf16_nearest(conform_bf16_value((uint16_t)bits)), bits);
}
