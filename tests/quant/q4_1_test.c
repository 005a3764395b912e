#include "blocks.h"

#include <math.h>
#include <string.h>

#include "test.h"

TEST(a_block_decodes_as_written_down)
{
    /* d = 2, m = -1; weight 0: code 3, weight 16: code 15, weight 15: code 1. */
    const uint8_t block[20] = {0x00, 0x40, 0x00, 0xbc, 0xf3, [19] = 0x01};
    float want[32];
    for (int i = 0; i < 32; i++)
        want[i] = -1.0f;
    want[0] = 5.0f;
    want[16] = 29.0f;
    want[15] = 1.0f;
    assert_decodes(IFN_DTYPE_Q4_1, block, want, 32);
}

/* d * q = 11 * 2^-24 * 15 is exact; adding 1 must round once: 165 * 2^-24 to even 2^-23. */
TEST(the_sum_rounds_once)
{
    const uint8_t block[20] = {0x0b, 0x00, 0x00, 0x3c, 0xff};
    float got[32];
    assert_int_equal(ifn_dequantize_row(IFN_DTYPE_Q4_1, block, got, 32), IFN_OK);
    assert_true(got[0] == (float)(1.0 + 165 * 0x1p-24));
    assert_true(got[0] == 1.0f + 82 * 0x1p-23f);
    assert_true(got[1] == 1.0f);
}

TEST(halves_round_up)
{
    const float x[32] = {
        -2.0f, 13.0f, -1.5f, -1.5000001f, [16] = 12.5f, [17] = 12.4f, [18] = -2.0f, [19] = -2.0f};
    /* lo = -2, d = 1: zeros are code 2 */
    uint8_t want[20] = {0x00, 0x3c, 0x00, 0xc0, 0xf0, 0xef, 0x01, 0x00};
    memset(want + 8, 0x22, 12);
    assert_encodes(IFN_DTYPE_Q4_1, x, want, 32);
}

TEST(a_vanishing_scale_stores_the_minimum)
{
    float same[32], nearly[32];
    const uint8_t want[20] = {0x00, 0x00, 0x01, 0x3c}, zeros[20] = {0}, minus[20] = {0, 0, 0, 0x80};
    for (int i = 0; i < 32; i++) {
        same[i] = 1.0f + 0x1p-10f + 0x1p-20f;
        nearly[i] = i == 5 ? 0x1p-25f * 15.0f : 0.0f;
    }
    assert_encodes(IFN_DTYPE_Q4_1, same, want, 32);
    assert_encodes(IFN_DTYPE_Q4_1, nearly, zeros, 32);
    nearly[0] = -0.0f; /* the first of the smallest elements */
    assert_encodes(IFN_DTYPE_Q4_1, nearly, minus, 32);
}

TEST(what_cannot_be_stored_is_nan)
{
    const uint8_t nan_block[20] = {0x00, 0x7e};
    const float bad[][32] = {{NAN},       {[31] = NAN},    {[7] = INFINITY},  {-INFINITY},
                             {-65520.0f}, {3e38f, -3e38f}, {65520.0f * 15.0f}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_encodes(IFN_DTYPE_Q4_1, bad[i], nan_block, 32);
}

TEST(reconstruction_stays_within_its_bound)
{
    for (uint64_t index = 0; index < 4096; index++) {
        float x[32], back[32], lo = INFINITY, hi = -INFINITY;
        random_block(index, x, 32);
        for (int i = 0; i < 32; i++) {
            lo = fminf(lo, x[i]);
            hi = fmaxf(hi, x[i]);
        }
        const double d = ((double)hi - (double)lo) / 15;
        if (d < 0x1p-14 || (lo != 0.0f && fabsf(lo) < 0x1p-14f))
            continue;
        const double bound = (d / 2 + (15 * d + fabs((double)lo)) * 0x1p-11) * (1 + 0x1p-20);
        round_trip(IFN_DTYPE_Q4_1, x, back, 32);
        for (int i = 0; i < 32; i++)
            assert_that(fabs((double)x[i] - (double)back[i]) <= bound, "block %d, %d: %g for %g",
                        (int)index, i, (double)back[i], (double)x[i]);
    }
}
