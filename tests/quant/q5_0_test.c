#include "blocks.h"

#include <math.h>
#include <string.h>

#include "test.h"

TEST(a_block_decodes_as_written_down)
{
    /* d = -2; weight 0: code 17, weight 9: code 31, weight 16: code 15, weight 31: code 0. */
    uint8_t block[22] = {0x00, 0xc0, 0xff, 0xff, 0xfe, 0x7f, 0xf1};
    float want[32];
    block[6 + 9] = 0x0f;
    for (int i = 0; i < 32; i++)
        want[i] = -0.0f; /* code 16 stands for zero, times a negative scale */
    want[0] = -2.0f;
    want[9] = -30.0f;
    want[16] = 2.0f;
    want[31] = 32.0f;
    assert_decodes(IFN_DTYPE_Q5_0, block, want, 32);
}

TEST(halves_round_up_and_the_top_is_clipped)
{
    const float x[32] = {-16.0f, 0.5f, -0.5f, -15.5f, [16] = 15.7f, [17] = 14.5f, [31] = -1.0f};
    /* codes 0 17 16 1 at 0..3; 31 31 16 16 at 16..19; 15 at 31; 16 elsewhere */
    uint8_t want[22] = {0x00, 0x3c, 0xf6, 0xff, 0xff, 0x7f, 0xf0, 0xf1, 0x00, 0x01, [21] = 0xf0};
    assert_encodes(IFN_DTYPE_Q5_0, x, want, 32);
}

TEST(the_first_largest_element_gives_the_sign)
{
    const float plus[32] = {4.0f, -4.0f};
    const uint8_t want[22] = {0x00, 0xb4, 0xfe, 0xff, 0xff, 0xff, 0x00, 0x0f};
    assert_encodes(IFN_DTYPE_Q5_0, plus, want, 32);
}

TEST(a_vanishing_scale_stores_zeros)
{
    const uint8_t zeros[22] = {0x00, 0x80, 0xff, 0xff, 0xff, 0xff};
    const float nothing[][32] = {{0.0f}, {-0.0f}, {0x1p-21f}, {-0x1p-21f}, {0x1p-149f, -0x1p-130f}};
    for (size_t i = 0; i < N_OF(nothing); i++)
        assert_encodes(IFN_DTYPE_Q5_0, nothing[i], zeros, 32);
    const float kept[32] = {0x1.000002p-21f};
    const uint8_t smallest[22] = {0x01, 0x80, 0xfe, 0xff, 0xff, 0xff};
    assert_encodes(IFN_DTYPE_Q5_0, kept, smallest, 32);
}

TEST(what_cannot_be_stored_is_nan)
{
    const uint8_t nan_block[22] = {0x00, 0x7e};
    const float bad[][32] = {{[31] = NAN}, {[7] = INFINITY}, {-INFINITY}, {65520.0f * 16.0f}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_encodes(IFN_DTYPE_Q5_0, bad[i], nan_block, 32);
}

TEST(reconstruction_stays_within_its_bound)
{
    for (uint64_t index = 0; index < 4096; index++) {
        float x[32], back[32], xs = 0.0f;
        random_block(index, x, 32);
        for (int i = 0; i < 32; i++)
            xs = fabsf(x[i]) > fabsf(xs) ? x[i] : xs;
        const double d = (double)xs / -16;
        if (fabs(d) < 0x1p-14)
            continue;
        round_trip(IFN_DTYPE_Q5_0, x, back, 32);
        for (int i = 0; i < 32; i++) {
            const double step = (double)x[i] / d > 15.5 ? 1.0 : 0.5;
            const double bound = fabs(d) * (step + 16 * 0x1p-11) * (1 + 0x1p-20);
            assert_that(fabs((double)x[i] - (double)back[i]) <= bound, "block %d, %d: %g for %g",
                        (int)index, i, (double)back[i], (double)x[i]);
        }
    }
}
