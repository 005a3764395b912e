#include "blocks.h"

#include <math.h>
#include <string.h>

#include "test.h"

TEST(a_block_decodes_as_written_down)
{
    /* d = 0.5; byte 0 holds codes 0 (weight 0) and 15 (weight 16), byte 15 codes 9 and 7. */
    uint8_t block[18] = {0x00, 0x38, 0xf0};
    float want[32] = {0};
    memset(block + 3, 0x88, 14);
    block[17] = 0x79;
    want[0] = -4.0f;
    want[16] = 3.5f;
    want[15] = 0.5f;
    want[31] = -0.5f;
    assert_decodes(IFN_DTYPE_Q4_0, block, want, 32);
}

/* The addition rounds too: 1.4999999 + 8.5 is 10 in f32. */
TEST(halves_round_up_and_the_top_is_clipped)
{
    const float x[32] = {
        -8.0f, 0.5f, -0.5f, 1.4999999f, [16] = 7.6f, [17] = 7.0f, [18] = 6.5f, [19] = -7.5f};
    uint8_t want[18] = {0x00, 0x3c, 0xf0, 0xf9, 0xf8, 0x1a};
    memset(want + 6, 0x88, 12);
    assert_encodes(IFN_DTYPE_Q4_0, x, want, 32);
}

/* +8 and -8 are equally large: the first of them decides the sign of the scale. */
TEST(the_first_largest_element_gives_the_sign)
{
    const float plus[32] = {8.0f, -8.0f}, minus[32] = {-8.0f, 8.0f};
    uint8_t want_plus[18] = {0x00, 0xbc, 0x80, 0x8f}, want_minus[18] = {0x00, 0x3c, 0x80, 0x8f};
    memset(want_plus + 4, 0x88, 14);
    memset(want_minus + 4, 0x88, 14);
    assert_encodes(IFN_DTYPE_Q4_0, plus, want_plus, 32);
    assert_encodes(IFN_DTYPE_Q4_0, minus, want_minus, 32);
}

TEST(a_vanishing_scale_stores_zeros)
{
    uint8_t zeros[18] = {0x00, 0x80};
    memset(zeros + 2, 0x88, 16);
    const float nothing[][32] = {{0.0f}, {-0.0f}, {0x1p-22f}, {-0x1p-22f}, {0x1p-149f, -0x1p-130f}};
    for (size_t i = 0; i < N_OF(nothing); i++)
        assert_encodes(IFN_DTYPE_Q4_0, nothing[i], zeros, 32);
    const float kept[32] = {-0x1.000002p-22f};
    uint8_t smallest[18] = {0x01, 0x00, 0x80};
    memset(smallest + 3, 0x88, 15);
    assert_encodes(IFN_DTYPE_Q4_0, kept, smallest, 32);
}

TEST(what_cannot_be_stored_is_nan)
{
    const uint8_t nan_block[18] = {0x00, 0x7e};
    const float bad[][32] = {{[31] = NAN}, {[7] = INFINITY}, {-INFINITY}, {65520.0f * 8.0f}};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_encodes(IFN_DTYPE_Q4_0, bad[i], nan_block, 32);
}

TEST(reconstruction_stays_within_its_bound)
{
    for (uint64_t index = 0; index < 4096; index++) {
        float x[32], back[32], xs = 0.0f;
        random_block(index, x, 32);
        for (int i = 0; i < 32; i++)
            xs = fabsf(x[i]) > fabsf(xs) ? x[i] : xs;
        const double d = (double)xs / -8;
        if (fabs(d) < 0x1p-14)
            continue;
        round_trip(IFN_DTYPE_Q4_0, x, back, 32);
        for (int i = 0; i < 32; i++) {
            const double step = (double)x[i] / d > 7.5 ? 1.0 : 0.5;
            const double bound = fabs(d) * (step + 8 * 0x1p-11) * (1 + 0x1p-20);
            assert_that(fabs((double)x[i] - (double)back[i]) <= bound, "block %d, %d: %g for %g",
                        (int)index, i, (double)back[i], (double)x[i]);
        }
    }
}
