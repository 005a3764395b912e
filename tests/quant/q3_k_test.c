#include "blocks.h"

#include <math.h>
#include <string.h>

#include "test.h"

/* Sets d = 1 and all stored scales to 33, which means 1. */
static void put_unit_scales(uint8_t *block)
{
    memset(block + 96, 0x11, 8);
    memset(block + 104, 0xaa, 4);
    block[109] = 0x3c;
}

TEST(every_bit_of_a_code_stands_where_the_layout_says)
{
    uint8_t block[110] = {0};
    put_unit_scales(block);
    int weight = 0;
    for (size_t half = 0; half < 2; half++) {
        for (int quarter = 0; quarter < 4; quarter++) {
            for (size_t l = 0; l < 32; l++, weight++) {
                const size_t low = 32 + 32 * half + l;
                assert_bit_moves(IFN_DTYPE_Q3_K, block, low, 2 * quarter, weight, 1.0f);
                assert_bit_moves(IFN_DTYPE_Q3_K, block, low, 2 * quarter + 1, weight, 2.0f);
                assert_bit_moves(IFN_DTYPE_Q3_K, block, l, weight / 32, weight, 4.0f);
            }
        }
    }
    assert_int_equal(weight, 256);
}

/* All codes are 5, which means 1: every weight equals the scale of its group. */
static void scale_is(const uint8_t *block, int group, float scale)
{
    float got[256];
    assert_int_equal(ifn_dequantize_row(IFN_DTYPE_Q3_K, block, got, 256), IFN_OK);
    for (int i = 0; i < 256; i++)
        assert_true(got[i] == (i / 16 == group ? scale : -32.0f));
}

TEST(every_bit_of_a_scale_stands_where_the_layout_says)
{
    for (int g = 0; g < 16; g++) {
        for (int bit = 0; bit < 6; bit++) {
            uint8_t block[110] = {0};
            memset(block, 0xff, 32);
            memset(block + 32, 0x55, 64);
            block[109] = 0x3c;
            if (bit < 4)
                block[96 + (g < 8 ? g : g - 8)] = (uint8_t)(1 << (g < 8 ? bit : bit + 4));
            else
                block[104 + g % 4] = (uint8_t)(1 << (bit - 4 + 2 * (g / 4)));
            scale_is(block, g, (float)((1 << bit) - 32));
        }
    }
}

/* Sets one weight at a time: decoding finds it where encoding put it. */
TEST(every_weight_comes_back_in_its_place)
{
    for (int at = 0; at < 256; at++) {
        float x[256] = {0}, back[256];
        x[at] = at % 2 ? 1.0f : -1.0f;
        round_trip(IFN_DTYPE_Q3_K, x, back, 256);
        for (int i = 0; i < 256; i++)
            assert_true(fabsf(back[i] - x[i]) <= 0x1p-10f);
    }
}

TEST(what_cannot_be_stored_is_nan)
{
    const uint8_t nan_block[110] = {[109] = 0x7e};
    const float bad[][256] = {{[255] = NAN}, {[7] = INFINITY}, {-INFINITY}, {3e38f}, {-3e38f}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_encodes(IFN_DTYPE_Q3_K, bad[i], nan_block, 256);
}
