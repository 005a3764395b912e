#include "blocks.h"

#include <math.h>
#include <string.h>

#include "test.h"

TEST(every_bit_of_a_code_stands_where_the_layout_says)
{
    uint8_t block[210] = {0};
    memset(block + 192, 0x01, 16); /* all scales 1 */
    block[209] = 0x3c;             /* d = 1 */
    int weight = 0;
    for (size_t half = 0; half < 2; half++) {
        for (int high = 0; high < 2; high++) {
            for (size_t j = 0; j < 64; j++, weight++) {
                const size_t l = 128 + 32 * half + j % 32;
                const int at = 2 * (2 * high + (j >= 32));
                for (int bit = 0; bit < 4; bit++)
                    assert_bit_moves(IFN_DTYPE_Q6_K, block, 64 * half + j, 4 * high + bit, weight,
                                     (float)(1 << bit));
                assert_bit_moves(IFN_DTYPE_Q6_K, block, l, at, weight, 16.0f);
                assert_bit_moves(IFN_DTYPE_Q6_K, block, l, at + 1, weight, 32.0f);
            }
        }
    }
    assert_int_equal(weight, 256);
}

TEST(scales_are_signed_bytes)
{
    uint8_t block[210] = {0};
    float want[256];
    for (int g = 0; g < 16; g++)
        block[192 + g] = (uint8_t)(17 * g - 128);
    block[209] = 0x38; /* d = 0.5; all codes 0, which means -32 */
    for (int i = 0; i < 256; i++)
        want[i] = 0.5f * (float)(17 * (i / 16) - 128) * -32.0f;
    assert_decodes(IFN_DTYPE_Q6_K, block, want, 256);
}

/* Sets one weight at a time: decoding finds it where encoding put it. */
TEST(every_weight_comes_back_in_its_place)
{
    for (int at = 0; at < 256; at++) {
        float x[256] = {0}, back[256];
        x[at] = at % 2 ? 1.0f : -1.0f;
        round_trip(IFN_DTYPE_Q6_K, x, back, 256);
        for (int i = 0; i < 256; i++)
            assert_true(fabsf(back[i] - x[i]) <= 0x1p-10f);
    }
}

TEST(what_cannot_be_stored_is_nan)
{
    const uint8_t nan_block[210] = {[209] = 0x7e};
    const float bad[][256] = {{[255] = NAN}, {[7] = INFINITY}, {-INFINITY}, {3e38f}, {-3e38f}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_encodes(IFN_DTYPE_Q6_K, bad[i], nan_block, 256);
}
