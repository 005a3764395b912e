#include "search_affine.h"

#include <math.h>

#include "f16.h"
#include "row_sets.h"
#include "test.h"

static const ifn_affine_shape shapes[] = {{16, 3, 15}, {32, 15, 63}, {32, 31, 63}};

static float value(const ifn_affine_fit *fit, ifn_affine_shape shape, int i)
{
    const int g = i / shape.group;
    return ifn_f16_to_f32(fit->d) * (float)fit->scale[g] * (float)fit->code[i] -
           ifn_f16_to_f32(fit->dmin) * (float)fit->min[g];
}

/* Every group has code 0 and the largest code; group 0 has the largest scale and the largest minimum. */
TEST(data_of_the_format_are_found_again_exactly)
{
    for (size_t f = 0; f < N_OF(shapes); f++) {
        const ifn_affine_shape shape = shapes[f];
        for (uint64_t block = 0; block < 100; block++) {
            ifn_affine_fit fit;
            float x[256];
            for (int i = 0; i < 256; i++) {
                const int g = i / shape.group, at = i % shape.group;
                const uint64_t h = row_hash("code", 256 * block + (uint64_t)i);
                const int code = at == 0   ? 0
                                 : at == 1 ? shape.codes
                                           : (int)(h % 64) % (shape.codes + 1);
                const int scale = g == 0 ? shape.scales : 1 + 7 * g % shape.scales;
                const int min = g == 0 ? shape.scales : 5 * g % (shape.scales + 1);
                x[i] = 0x1.8p-7f * (float)(scale * code) - 0x1p-5f * (float)min;
            }
            ifn_search_affine(x, NULL, shape, &fit);
            for (int i = 0; i < 256; i++)
                assert_true(value(&fit, shape, i) == x[i]);
        }
    }
}

/* The allowed error is one code step, plus what one unit of the scale moves the last code, plus one unit of the
 * minimum. */
TEST(every_element_is_within_its_step)
{
    for (size_t set = 0; set < N_OF(row_set_names); set++) {
        float x[64 * 256];
        assert_true(row_set_fill(row_set_names[set], x, 64 * 256));
        for (size_t f = 0; f < N_OF(shapes); f++) {
            for (int i = 0; i < 64 * 256; i++) {
                static ifn_affine_fit fit;
                if (i % 256 == 0)
                    ifn_search_affine(x + i, NULL, shapes[f], &fit);
                const int steps = fit.scale[i % 256 / shapes[f].group] + shapes[f].codes;
                const float bound = ifn_f16_to_f32(fit.d) * (float)steps + ifn_f16_to_f32(fit.dmin);
                assert_that(fabsf(x[i] - value(&fit, shapes[f], i % 256)) <= bound,
                            "%s: element %d is %g, expected %g within %g", row_set_names[set], i,
                            (double)value(&fit, shapes[f], i % 256), (double)x[i], (double)bound);
            }
        }
    }
}

TEST(numbers_stay_within_the_format)
{
    for (size_t f = 0; f < N_OF(shapes); f++) {
        for (uint64_t block = 0; block < 200; block++) {
            ifn_affine_fit fit;
            float x[256];
            for (int i = 0; i < 256; i++)
                x[i] = ldexpf(row_normal("range", 256 * block + (uint64_t)i), (int)block - 140);
            ifn_search_affine(x, NULL, shapes[f], &fit);
            assert_int_equal(fit.dmin & 0x8000, 0);
            for (int i = 0; i < 256; i++) {
                assert_in_range(fit.code[i], 0, shapes[f].codes);
                assert_in_range(fit.scale[i / shapes[f].group], 0, shapes[f].scales);
                assert_in_range(fit.min[i / shapes[f].group], 0, shapes[f].scales);
            }
        }
    }
}

TEST(small_blocks_are_not_lost)
{
    for (size_t f = 0; f < N_OF(shapes); f++) {
        const float step = 0x1p-24f * (float)shapes[f].scales / 5.0f;
        ifn_affine_fit fit;
        float x[256];
        for (int i = 0; i < 256; i++)
            x[i] = step * (float)(i % 16 % (shapes[f].codes + 1) - shapes[f].codes / 2);
        ifn_search_affine(x, NULL, shapes[f], &fit);
        for (int i = 0; i < 256; i++)
            assert_true(fabsf(value(&fit, shapes[f], i) - x[i]) <= step);
    }
}

TEST(a_constant_group_costs_one_rounding)
{
    for (size_t f = 0; f < N_OF(shapes); f++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            ifn_affine_fit fit;
            float x[256];
            for (int i = 0; i < 256; i++)
                x[i] = (float)sign * 0.7310243f;
            ifn_search_affine(x, NULL, shapes[f], &fit);
            for (int i = 0; i < 256; i++)
                assert_true(fabsf(value(&fit, shapes[f], i) - x[i]) <= 0x1p-11f * fabsf(x[i]));
        }
    }
}

TEST(blocks_of_nothing_and_blocks_too_large)
{
    for (size_t f = 0; f < N_OF(shapes); f++) {
        const float most = 65504.0f * (float)(shapes[f].codes * shapes[f].scales);
        const float nothing[][256] = {{0.0f}, {-0.0f}};
        const float too_large[][256] = {{[9] = NAN},    {[255] = INFINITY},
                                        {-INFINITY},    {3.4e38f, -3.4e38f},
                                        {1.01f * most}, {-65536.0f * (float)shapes[f].scales}};
        ifn_affine_fit fit;
        for (size_t i = 0; i < N_OF(nothing); i++) {
            ifn_search_affine(nothing[i], NULL, shapes[f], &fit);
            assert_int_equal(fit.d, 0);
            assert_int_equal(fit.dmin, 0);
        }
        for (size_t i = 0; i < N_OF(too_large); i++) {
            ifn_search_affine(too_large[i], NULL, shapes[f], &fit);
            assert_int_equal(fit.d, IFN_F16_NAN);
            assert_int_equal(fit.dmin, 0);
            assert_int_equal(fit.min[0], 0);
        }
        const float fits[256] = {0.99f * most, 1.0f};
        ifn_search_affine(fits, NULL, shapes[f], &fit);
        assert_true(fabsf(value(&fit, shapes[f], 0) - fits[0]) < 0.01f * most);
    }
}
