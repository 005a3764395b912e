#include "blocks.h"

#include <math.h>

#include "test.h"

/* d = 0.5; codes -128, 127, 1, -1, then 0. */
static const uint8_t block[34] = {0x00, 0x38, 0x80, 0x7f, 0x01, 0xff};

TEST(a_block_decodes_as_written_down)
{
    const float want[32] = {-64.0f, 63.5f, 0.5f, -0.5f};
    assert_decodes(IFN_DTYPE_Q8_0, block, want, 32);
}

TEST(ties_round_away_from_zero)
{
    const float x[32] = {127.0f, 0.5f, 1.5f, -0.5f, -2.5f, 0.49999997f};
    const uint8_t want[34] = {0x00, 0x3c, 127, 1, 2, 0xff, 0xfd, 0};
    assert_encodes(IFN_DTYPE_Q8_0, x, want, 32);
}

/* 1/d and x/d differ here: d = 1/127 is rounded, and x * (1/d) lands on the other side of a tie. */
TEST(codes_use_the_rounded_reciprocal)
{
    int n_differ = 0;
    for (int k = 1; k < 4000; k++) {
        const float amax = 1.0f + (float)k * 0x1p-12f, d = amax / 127.0f, id = 1.0f / d;
        float x[32] = {amax};
        uint8_t want[34] = {0};
        for (int i = 1; i < 32; i++) {
            x[i] = d * ((float)i + 0.5f);
            n_differ += roundf(x[i] * id) != roundf(x[i] / d);
        }
        assert_int_equal(ifn_quantize_row(IFN_DTYPE_Q8_0, x, want, 32), IFN_OK);
        for (int i = 0; i < 32; i++)
            assert_int_equal((int8_t)want[2 + i], (int)roundf(x[i] * id));
    }
    assert_true(n_differ > 0);
}

TEST(a_vanishing_scale_stores_zeros)
{
    const uint8_t zeros[34] = {0};
    const float tie[32] = {-0x1p-25f * 127.0f}, least[32] = {0x1p-140f}, none[32] = {-0.0f};
    assert_encodes(IFN_DTYPE_Q8_0, tie, zeros, 32);
    assert_encodes(IFN_DTYPE_Q8_0, least, zeros, 32);
    assert_encodes(IFN_DTYPE_Q8_0, none, zeros, 32);
    const float kept[32] = {0x1.000002p-25f * 127.0f};
    const uint8_t smallest[34] = {0x01, 0x00, 127};
    assert_encodes(IFN_DTYPE_Q8_0, kept, smallest, 32);
}

TEST(what_cannot_be_stored_is_nan)
{
    const uint8_t nan_block[34] = {0x00, 0x7e};
    const float bad[][32] = {{[31] = NAN}, {[7] = INFINITY}, {-INFINITY}, {65520.0f * 127.0f}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_encodes(IFN_DTYPE_Q8_0, bad[i], nan_block, 32);
    const float fits[32] = {-65504.0f * 127.0f};
    const uint8_t largest[34] = {0xff, 0x7b, 0x81};
    assert_encodes(IFN_DTYPE_Q8_0, fits, largest, 32);
}

TEST(reconstruction_stays_within_its_bound)
{
    for (uint64_t index = 0; index < 4096; index++) {
        float x[32], back[32], amax = 0.0f;
        random_block(index, x, 32);
        for (int i = 0; i < 32; i++)
            amax = fmaxf(amax, fabsf(x[i]));
        if (amax < 127.0f * 0x1p-14f)
            continue;
        const double bound = (double)amax * (1.0 / 254 + 0x1p-11) * (1 + 0x1p-10);
        round_trip(IFN_DTYPE_Q8_0, x, back, 32);
        for (int i = 0; i < 32; i++)
            assert_that(fabs((double)x[i] - (double)back[i]) <= bound, "block %d, %d: %g for %g",
                        (int)index, i, (double)back[i], (double)x[i]);
    }
}
