#include "blocks.h"

#include <math.h>
#include <string.h>

#include "f16.h"
#include "test.h"

static ifn_block_q8_32f encode(const float *x)
{
    ifn_block_q8_32f block;
    assert_int_equal(ifn_quantize_row(IFN_DTYPE_Q8_32F, x, &block, 32), IFN_OK);
    return block;
}

TEST(a_block_decodes_as_written_down)
{
    const ifn_block_q8_32f block = {0.25f, 3, {127, -127, 3}};
    const float want[32] = {31.75f, -31.75f, 0.75f};
    assert_decodes(IFN_DTYPE_Q8_32F, &block, want, 32);
}

TEST(ties_round_to_even)
{
    const float x[32] = {127.0f, 0.5f, 1.5f, -0.5f, -2.5f, -3.5f, 2.5f};
    const ifn_block_q8_32f want = {1.0f, 127 + 2 - 2 - 4 + 2, {127, 0, 2, 0, -2, -4, 2}};
    assert_encodes(IFN_DTYPE_Q8_32F, x, &want, 32);
}

TEST(only_blocks_of_a_normal_scale_are_kept)
{
    const float below[][32] = {{0.0f}, {-0.0f}, {0x1p-149f}, {0x1.fffffep-119f, -0x1.fffffep-119f}};
    const ifn_block_q8_32f zeros = {0};
    for (size_t i = 0; i < N_OF(below); i++)
        assert_encodes(IFN_DTYPE_Q8_32F, below[i], &zeros, 32);
    const float at[32] = {0x1p-118f, -0x1p-118f, 0x1p-119f, 0x1p-130f};
    const ifn_block_q8_32f block = encode(at);
    assert_true(block.d == 0x1p-118f / 127.0f && block.d >= 0x1p-126f);
    assert_int_equal(block.qs[0], 127);
    assert_int_equal(block.qs[1], -127);
    assert_int_equal(block.qs[2], 64); /* 63.5 is a tie */
    assert_int_equal(block.qs[3], 0);
    assert_int_equal(block.s, 64);
}

TEST(nan_and_infinity_make_a_nan_block)
{
    const float bad[][32] = {{NAN}, {[31] = -NAN}, {[7] = INFINITY}, {-INFINITY, NAN}};
    ifn_block_q8_32f want = {0};
    want.d = ifn_f32_from_bits(0x7fc00000u);
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_encodes(IFN_DTYPE_Q8_32F, bad[i], &want, 32);
}

/* For every significand of the largest element, at both ends of the range, its code is 127: never 128, without
 * clamping. */
TEST(the_largest_element_is_127_exactly)
{
    const float ends[] = {0x1p-118f, 1.0f, 0x1p127f};
    for (uint32_t k = 0; k < 1u << 23; k += 997) {
        for (size_t e = 0; e < N_OF(ends); e++) {
            const float amax = ends[e] * (1.0f + (float)k * 0x1p-23f);
            const float x[32] = {[3] = -amax, [4] = amax};
            const ifn_block_q8_32f block = encode(x);
            assert_int_equal(block.qs[3], -127);
            assert_int_equal(block.qs[4], 127);
        }
    }
}

TEST(the_sum_and_the_bound_hold)
{
    for (uint64_t index = 0; index < 4096; index++) {
        float x[32], back[32], amax = 0.0f;
        int32_t sum = 0;
        random_block(index, x, 32);
        const ifn_block_q8_32f block = encode(x);
        assert_int_equal(ifn_dequantize_row(IFN_DTYPE_Q8_32F, &block, back, 32), IFN_OK);
        for (int i = 0; i < 32; i++) {
            sum += block.qs[i];
            amax = fmaxf(amax, fabsf(x[i]));
        }
        assert_int_equal(block.s, sum);
        for (int i = 0; i < 32; i++)
            assert_true(fabs((double)x[i] - (double)block.d * block.qs[i]) <=
                        (double)amax / 254 * (1 + 0x1p-14));
    }
}
