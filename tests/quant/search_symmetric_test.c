#include "search_symmetric.h"

#include <math.h>
#include <stdlib.h>

#include "f16.h"
#include "row_sets.h"
#include "test.h"

static const ifn_symmetric_shape formats[] = {{4, 32}, {32, 128}}; /* Q3_K, Q6_K */

static float value(const ifn_symmetric_fit *fit, int i)
{
    return ifn_f16_to_f32(fit->d) * (float)fit->scale[i / 16] * (float)fit->code[i];
}

TEST(data_of_the_format_are_found_again_exactly)
{
    for (size_t f = 0; f < N_OF(formats); f++) {
        const int codes = formats[f].codes, scales = formats[f].scales;
        for (uint64_t block = 0; block < 100; block++) {
            ifn_symmetric_fit fit;
            float x[256];
            for (int i = 0; i < 256; i++) {
                const uint64_t at = 256 * block + (uint64_t)i;
                const int scale = i < 16 ? -scales : (i / 16 * 31 % scales) - scales;
                const int code = (int)(row_hash("code", at) % (uint64_t)(2 * codes)) - codes;
                x[i] = 0x1.4p-9f * (float)scale * (float)(i % 16 ? code : -codes);
            }
            ifn_search_symmetric(x, NULL, (ifn_symmetric_shape){codes, scales}, &fit);
            for (int i = 0; i < 256; i++)
                assert_true(value(&fit, i) == x[i]);
        }
    }
}

/* The allowed error is one code step, plus what one unit of the scale moves the last code. */
TEST(every_element_is_within_its_step)
{
    for (size_t set = 0; set < N_OF(row_set_names); set++) {
        float x[64 * 256];
        assert_true(row_set_fill(row_set_names[set], x, 64 * 256));
        for (size_t f = 0; f < N_OF(formats); f++) {
            for (int i = 0; i < 64 * 256; i++) {
                static ifn_symmetric_fit fit;
                if (i % 256 == 0)
                    ifn_search_symmetric(x + i, NULL, formats[f], &fit);
                const int steps = abs(fit.scale[i % 256 / 16]) + formats[f].codes;
                const float bound = fabsf(ifn_f16_to_f32(fit.d)) * (float)steps;
                assert_that(fabsf(x[i] - value(&fit, i % 256)) <= bound,
                            "%s: element %d is %g, expected %g within %g", row_set_names[set], i,
                            (double)value(&fit, i % 256), (double)x[i], (double)bound);
            }
        }
    }
}

TEST(numbers_stay_within_the_format)
{
    for (size_t f = 0; f < N_OF(formats); f++) {
        for (uint64_t block = 0; block < 200; block++) {
            ifn_symmetric_fit fit;
            float x[256];
            for (int i = 0; i < 256; i++)
                x[i] = ldexpf(row_normal("range", 256 * block + (uint64_t)i), (int)block - 140);
            ifn_search_symmetric(x, NULL, formats[f], &fit);
            for (int i = 0; i < 256; i++) {
                assert_in_range(fit.code[i] + formats[f].codes, 0, 2 * formats[f].codes - 1);
                assert_in_range(fit.scale[i / 16] + formats[f].scales, 0,
                                2 * formats[f].scales - 1);
            }
        }
    }
}

/* d would be a tenth of the smallest f16; with the smallest f16 as d, the scales still represent it. */
TEST(small_blocks_are_not_lost)
{
    for (size_t f = 0; f < N_OF(formats); f++) {
        const float step = 0x1p-24f * (float)formats[f].scales / 10.0f;
        ifn_symmetric_fit fit;
        float x[256];
        for (int i = 0; i < 256; i++)
            x[i] = step * (float)(i % 16 % (2 * formats[f].codes) - formats[f].codes);
        ifn_search_symmetric(x, NULL, formats[f], &fit);
        assert_int_equal(fit.d & 0x7fff, 1);
        for (int i = 0; i < 256; i++)
            assert_true(fabsf(value(&fit, i) - x[i]) <= step);
    }
}

TEST(blocks_of_nothing_and_blocks_too_large)
{
    for (size_t f = 0; f < N_OF(formats); f++) {
        const float most = 65504.0f * (float)(formats[f].codes * formats[f].scales);
        const float nothing[][256] = {{0.0f}, {-0.0f}, {0x1p-149f}};
        const float too_large[][256] = {
            {[9] = NAN}, {[255] = INFINITY}, {-INFINITY}, {-3.4e38f}, {1.01f * most}};
        ifn_symmetric_fit fit;
        for (size_t i = 0; i < N_OF(nothing); i++) {
            ifn_search_symmetric(nothing[i], NULL, formats[f], &fit);
            assert_int_equal(fit.d, 0);
            assert_int_equal(fit.code[0], 0);
        }
        for (size_t i = 0; i < N_OF(too_large); i++) {
            ifn_search_symmetric(too_large[i], NULL, formats[f], &fit);
            assert_int_equal(fit.d, IFN_F16_NAN);
            assert_int_equal(fit.code[0], 0);
        }
        const float fits[256] = {0.99f * most, 1.0f};
        ifn_search_symmetric(fits, NULL, formats[f], &fit);
        assert_true(fabsf(value(&fit, 0) - fits[0]) < 0.01f * most);
    }
}
