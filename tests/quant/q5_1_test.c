#include "blocks.h"

#include <math.h>

#include "test.h"

TEST(a_block_decodes_as_written_down)
{
    /* d = 0.5, m = 3; weight 0: code 17, weight 16: code 15, weight 31: code 31. */
    const uint8_t block[24] = {0x00, 0x38, 0x00, 0x42, 0x01, 0x00, 0x00, 0x80, 0xf1, [23] = 0xf0};
    float want[32];
    for (int i = 0; i < 32; i++)
        want[i] = 3.0f;
    want[0] = 11.5f;
    want[16] = 10.5f;
    want[31] = 18.5f;
    assert_decodes(IFN_DTYPE_Q5_1, block, want, 32);
}

TEST(halves_round_up)
{
    const float x[32] = {0.0f, 31.0f, 0.5f, 0.49f, [16] = 30.5f, [17] = 16.0f, [31] = 17.2f};
    /* codes 0 31 1 0 at 0..3; 31 16 at 16, 17; 17 at 31 */
    const uint8_t want[24] = {0x00, 0x3c, 0x00, 0x00, 0x02, 0x00,       0x03,
                              0x80, 0xf0, 0x0f, 0x01, 0x00, [23] = 0x10};
    assert_encodes(IFN_DTYPE_Q5_1, x, want, 32);
}

TEST(a_vanishing_scale_stores_the_minimum)
{
    float same[32], nearly[32];
    const uint8_t want[24] = {0x00, 0x00, 0x00, 0xc0}, zeros[24] = {0};
    for (int i = 0; i < 32; i++) {
        same[i] = -2.0f;
        nearly[i] = i == 5 ? 0x1p-25f * 31.0f : 0.0f;
    }
    assert_encodes(IFN_DTYPE_Q5_1, same, want, 32);
    assert_encodes(IFN_DTYPE_Q5_1, nearly, zeros, 32);
}

TEST(what_cannot_be_stored_is_nan)
{
    const uint8_t nan_block[24] = {0x00, 0x7e};
    const float bad[][32] = {{NAN},       {[31] = NAN},    {[7] = INFINITY},  {-INFINITY},
                             {-65520.0f}, {3e38f, -3e38f}, {65520.0f * 31.0f}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_encodes(IFN_DTYPE_Q5_1, bad[i], nan_block, 32);
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
        const double d = ((double)hi - (double)lo) / 31;
        if (d < 0x1p-14 || (lo != 0.0f && fabsf(lo) < 0x1p-14f))
            continue;
        const double bound = (d / 2 + (31 * d + fabs((double)lo)) * 0x1p-11) * (1 + 0x1p-20);
        round_trip(IFN_DTYPE_Q5_1, x, back, 32);
        for (int i = 0; i < 32; i++)
            assert_that(fabs((double)x[i] - (double)back[i]) <= bound, "block %d, %d: %g for %g",
                        (int)index, i, (double)back[i], (double)x[i]);
    }
}
