#include "blocks.h"

#include <math.h>
#include <string.h>

#include "f16.h"
#include "test.h"

TEST(f32_is_kept_bit_for_bit)
{
    const uint8_t bytes[] = {0x01, 0x00, 0xa0, 0x7f, /* a signalling NaN with a payload */
                             0x00, 0x00, 0x00, 0x80, 0xdb, 0x0f, 0x49, 0x40};
    float got[3];
    uint8_t back[12];
    assert_int_equal(ifn_dequantize_row(IFN_DTYPE_F32, bytes, got, 3), IFN_OK);
    assert_int_equal(ifn_f32_bits(got[1]), 0x80000000u);
    assert_true(got[2] == 3.14159274f);
    assert_int_equal(ifn_quantize_row(IFN_DTYPE_F32, got, back, 3), IFN_OK);
    assert_memory_equal(back, bytes, sizeof bytes);
}

TEST(f16_is_little_endian_and_rounded_once)
{
    const uint8_t bytes[] = {0x00, 0x3c, 0x01, 0x00, 0xff, 0x7b, 0x00, 0xfc};
    const float floats[] = {1.0f, 0x1p-24f, 65504.0f, -INFINITY};
    const float near_tie[] = {1.0f + 0x1p-11f, 1.0f + 0x3p-11f, 1.0f + 0x1p-11f + 0x1p-23f,
                              65520.0f};
    const uint8_t rounded[] = {0x00, 0x3c, 0x02, 0x3c, 0x01, 0x3c, 0x00, 0x7c};
    assert_decodes(IFN_DTYPE_F16, bytes, floats, 4);
    assert_encodes(IFN_DTYPE_F16, floats, bytes, 4);
    assert_encodes(IFN_DTYPE_F16, near_tie, rounded, 4);
}

TEST(bf16_is_the_upper_half_rounded_once)
{
    const uint8_t bytes[] = {0x80, 0x3f, 0x49, 0xc0, 0x01, 0x00};
    const float floats[] = {1.0f, -3.140625f, 0x1p-133f};
    const float near_tie[] = {1.0f + 0x1p-8f, 1.0f + 0x3p-8f, -3.4028235e38f};
    const uint8_t rounded[] = {0x80, 0x3f, 0x82, 0x3f, 0x80, 0xff};
    assert_decodes(IFN_DTYPE_BF16, bytes, floats, 3);
    assert_encodes(IFN_DTYPE_BF16, floats, bytes, 3);
    assert_encodes(IFN_DTYPE_BF16, near_tie, rounded, 3);
}

TEST(nan_stays_nan_and_touches_no_neighbour)
{
    const float x[] = {1.0f, NAN, -2.0f};
    const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_BF16};
    for (size_t i = 0; i < N_OF(dtypes); i++) {
        float back[3];
        round_trip(dtypes[i], x, back, 3);
        assert_true(back[0] == 1.0f && isnan(back[1]) && back[2] == -2.0f);
    }
}
