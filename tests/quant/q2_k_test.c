#include "blocks.h"

#include <math.h>
#include <string.h>

#include "test.h"

TEST(every_bit_of_a_code_stands_where_the_layout_says)
{
    uint8_t block[84] = {0};
    block[81] = 0x3c; /* d = 1, all scales 1, all minima 0 */
    memset(block, 0x01, 16);
    int weight = 0;
    for (size_t half = 0; half < 2; half++)
        for (int quarter = 0; quarter < 4; quarter++)
            for (size_t l = 0; l < 32; l++, weight++)
                for (int bit = 0; bit < 2; bit++)
                    assert_bit_moves(IFN_DTYPE_Q2_K, block, 16 + 32 * half + l, 2 * quarter + bit,
                                     weight, (float)(1 << bit));
    assert_int_equal(weight, 256);
}

TEST(scales_are_low_and_minima_high_nibbles)
{
    uint8_t block[84] = {0};
    float want[256];
    memset(block + 16, 0xff, 64); /* all codes 3 */
    block[81] = 0x3c;             /* d = 1 */
    block[83] = 0x38;             /* dmin = 0.5 */
    for (int g = 0; g < 16; g++)
        block[g] = (uint8_t)(g | (15 - g) << 4);
    for (int i = 0; i < 256; i++)
        want[i] = (float)(i / 16 * 3) - 0.5f * (float)(15 - i / 16);
    assert_decodes(IFN_DTYPE_Q2_K, block, want, 256);
}

/* 11 * 2^-24 * 15 * 3 = 495 * 2^-24 is exact; added to 15, a multiple of 2^-20, it rounds once. */
TEST(the_difference_rounds_once)
{
    uint8_t block[84] = {0xff, [16] = 0x03, [80] = 0x0b, [82] = 0x00, [83] = 0xbc};
    float got[256];
    assert_int_equal(ifn_dequantize_row(IFN_DTYPE_Q2_K, block, got, 256), IFN_OK);
    assert_true(got[0] == (float)(15.0 + 495 * 0x1p-24));
    assert_true(got[1] == 15.0f);
}

/* Sets one weight at a time: decoding finds it where encoding put it. */
TEST(every_weight_comes_back_in_its_place)
{
    for (int at = 0; at < 256; at++) {
        float x[256] = {0}, back[256];
        x[at] = at % 2 ? 1.0f : -1.0f;
        round_trip(IFN_DTYPE_Q2_K, x, back, 256);
        for (int i = 0; i < 256; i++)
            assert_true(fabsf(back[i] - x[i]) <= 0x1p-10f);
    }
}

TEST(what_cannot_be_stored_is_nan)
{
    const uint8_t nan_block[84] = {[81] = 0x7e};
    const float bad[][256] = {{[255] = NAN}, {[7] = INFINITY}, {-INFINITY}, {3e38f}, {-3e38f}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_encodes(IFN_DTYPE_Q2_K, bad[i], nan_block, 256);
}
