#include "kquant_scales.h"

#include "row_sets.h"
#include "test.h"

/* Sets one bit of one number at a time, to check the layout that the comment in the source file draws. */
TEST(every_bit_stands_where_the_layout_says)
{
    for (int kind = 0; kind < 2; kind++) {
        for (int g = 0; g < 8; g++) {
            for (int bit = 0; bit < 6; bit++) {
                uint8_t numbers[2][8] = {{0}}, packed[12], want[12] = {0};
                numbers[kind][g] = (uint8_t)(1 << bit);
                if (g < 4)
                    want[4 * kind + g] = (uint8_t)(1 << bit);
                else if (bit < 4)
                    want[8 + g - 4] = (uint8_t)(1 << (bit + 4 * kind));
                else
                    want[4 * kind + g - 4] = (uint8_t)(1 << (bit + 2));
                ifn_pack_scales(numbers[0], numbers[1], packed);
                assert_memory_equal(packed, want, 12);
            }
        }
    }
}

TEST(packing_and_unpacking_are_inverse)
{
    for (uint64_t index = 0; index < 1000; index++) {
        uint8_t bytes[12], scale[8], min[8], again[12];
        for (uint64_t i = 0; i < 12; i++)
            bytes[i] = (uint8_t)row_hash("scales", 12 * index + i);
        ifn_unpack_scales(bytes, scale, min);
        ifn_pack_scales(scale, min, again);
        assert_memory_equal(again, bytes, 12);
        for (int g = 0; g < 8; g++)
            assert_true(scale[g] < 64 && min[g] < 64);
    }
}

TEST(scales_of_q3_k_stand_where_the_layout_says)
{
    for (int g = 0; g < 16; g++) {
        for (int scale = -32; scale < 32; scale++) {
            uint8_t packed[12] = {0}, want[12] = {0};
            const int stored = scale + 32;
            want[g % 8] = (uint8_t)((stored & 15) << (g < 8 ? 0 : 4));
            want[8 + g % 4] = (uint8_t)(stored >> 4 << 2 * (g / 4));
            ifn_q3_k_put_scale(packed, g, scale);
            assert_memory_equal(packed, want, 12);
            for (int other = 0; other < 16; other++)
                assert_int_equal(ifn_q3_k_scale(packed, other), other == g ? scale : -32);
        }
    }
}
