#include "blocks.h"

#include <math.h>
#include <string.h>

#include "test.h"

TEST(every_bit_of_a_code_stands_where_the_layout_says)
{
    /* d = 1, all scales 1, all minima 0 */
    uint8_t block[144] = {0x00, 0x3c, 0x00, 0x00, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1};
    int weight = 0;
    for (size_t pair = 0; pair < 4; pair++) {
        for (int high = 0; high < 2; high++) {
            for (size_t l = 0; l < 32; l++, weight++) {
                for (int bit = 0; bit < 4; bit++)
                    assert_bit_moves(IFN_DTYPE_Q4_K, block, 16 + 32 * pair + l, 4 * high + bit,
                                     weight, (float)(1 << bit));
            }
        }
    }
    assert_int_equal(weight, 256);
}

/* Scales 1, 2, 3, 4, 17, 34, 51, 60 and minima 63, 62, 1, 0, 33, 18, 4, 8, packed by hand. */
TEST(every_group_has_its_own_scale_and_minimum)
{
    const int scale[8] = {1, 2, 3, 4, 17, 34, 51, 60}, min[8] = {63, 62, 1, 0, 33, 18, 4, 8};
    uint8_t block[144] = {0x00, 0x38, 0x00, 0x40, 0x41, 0x82, 0xc3, 0xc4,
                          0xbf, 0x7e, 0x01, 0x00, 0x11, 0x22, 0x43, 0x8c};
    float want[256];
    memset(block + 16, 0xff, sizeof block - 16); /* all codes 15 */
    for (int i = 0; i < 256; i++)
        want[i] = 0.5f * (float)(scale[i / 32] * 15) - 2.0f * (float)min[i / 32];
    assert_decodes(IFN_DTYPE_Q4_K, block, want, 256);
}

/* The product is exact, 63 * 15 * 11 * 2^-24; added to 63, a multiple of 2^-18, it rounds once. */
TEST(the_difference_rounds_once)
{
    const uint8_t block[144] = {0x0b, 0x00, 0x00, 0xbc, 63, [8] = 63, [16] = 0x0f};
    float got[256];
    assert_int_equal(ifn_dequantize_row(IFN_DTYPE_Q4_K, block, got, 256), IFN_OK);
    assert_true(got[0] == (float)(63.0 + 63 * 15 * 11 * 0x1p-24));
    assert_true(got[1] == 63.0f);
}

/* Sets one weight at a time: decoding finds it where encoding put it. */
TEST(every_weight_comes_back_in_its_place)
{
    for (int at = 0; at < 256; at++) {
        float x[256] = {0}, back[256];
        x[at] = at % 2 ? 1.0f : -1.0f;
        round_trip(IFN_DTYPE_Q4_K, x, back, 256);
        for (int i = 0; i < 256; i++)
            assert_true(fabsf(back[i] - x[i]) <= 0x1p-10f);
    }
}

TEST(what_cannot_be_stored_is_nan)
{
    const uint8_t nan_block[144] = {[1] = 0x7e};
    const float bad[][256] = {{[255] = NAN}, {[7] = INFINITY}, {-INFINITY}, {3e38f}, {-3e38f}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_encodes(IFN_DTYPE_Q4_K, bad[i], nan_block, 256);
}
