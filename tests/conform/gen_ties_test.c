/* A quantizer that differs from numerics 8 in one operation gives another result on every case of the family. */
#include "gen_ties.h"

#include <math.h>
#include <string.h>

#include "blocks.h"
#include "encode.h"
#include "test.h"

enum { N = 1536, SEEDS = 20 }; /* more elements than any spec needs */

/* Returns the code of x; `low` is 0 except for dtypes with a minimum. */
typedef double (*code_fn)(float x, float low, float d, float most);

static double q8_0_by_division(float x, float low, float d, float most)
{
    (void)low, (void)most;
    return (double)roundf(x / d);
}

static double q8_0_by_another_inverse(float x, float low, float d, float most)
{
    (void)low, (void)d;
    return (double)roundf(x * (127.0f / most));
}

static double q8_0_by_adding_a_half(float x, float low, float d, float most)
{
    (void)low, (void)most;
    const float v = x * (1.0f / d);
    return (double)truncf(v < 0 ? v - 0.5f : v + 0.5f);
}

static double q8_0_to_even(float x, float low, float d, float most)
{
    (void)low, (void)most;
    return nearbyint((double)(x * (1.0f / d)));
}

static double q8_32f_by_division(float x, float low, float d, float most)
{
    (void)low, (void)most;
    return nearbyint((double)(x / d));
}

static double q8_32f_away(float x, float low, float d, float most)
{
    (void)low, (void)d;
    return (double)roundf(x * (127.0f / most));
}

static double q4_0_by_division(float x, float low, float d, float most)
{
    (void)low, (void)most;
    return fmin(15, (double)truncf(x / d + 8.5f)) - 8;
}

static double q4_0_fused(float x, float low, float d, float most)
{
    (void)low, (void)most;
    return fmin(15, (double)truncf(fmaf(x, 1.0f / d, 8.5f))) - 8;
}

static double q5_0_fused(float x, float low, float d, float most)
{
    (void)low, (void)most;
    return fmin(31, (double)truncf(fmaf(x, 1.0f / d, 16.5f))) - 16;
}

static double q4_1_by_division(float x, float low, float d, float most)
{
    (void)most;
    return fmin(15, (double)truncf((x - low) / d + 0.5f));
}

static double q4_1_fused(float x, float low, float d, float most)
{
    (void)most;
    return fmin(15, (double)truncf(fmaf(x - low, 1.0f / d, 0.5f)));
}

static double q5_1_by_division(float x, float low, float d, float most)
{
    (void)most;
    return fmin(31, (double)truncf((x - low) / d + 0.5f));
}

static double q5_1_rounded(float x, float low, float d, float most)
{
    (void)most;
    return fmin(31, (double)roundf((x - low) * (1.0f / d)));
}

/* Finds the smallest and the largest element, and the first one of largest magnitude. */
static void ends_of(const float *x, float *low, float *high, float *extreme)
{
    *low = *high = *extreme = x[0];
    for (int i = 1; i < 32; i++) {
        *low = x[i] < *low ? x[i] : *low;
        *high = x[i] > *high ? x[i] : *high;
        *extreme = fabsf(x[i]) > fabsf(*extreme) ? x[i] : *extreme;
    }
}

static float scale_of(ifn_dtype dtype, const float *x, float *low, float *most)
{
    float high, extreme;
    ends_of(x, low, &high, &extreme);
    *most = fabsf(extreme);
    switch (dtype) {
    case IFN_DTYPE_Q4_0:
        return extreme / -8.0f;
    case IFN_DTYPE_Q5_0:
        return extreme / -16.0f;
    case IFN_DTYPE_Q4_1:
        return (high - *low) / 15.0f;
    case IFN_DTYPE_Q5_1:
        return (high - *low) / 31.0f;
    default:
        return *most / 127.0f;
    }
}

static int64_t count_differences(ifn_dtype dtype, code_fn code, const float *x)
{
    unsigned char blocks[N / 32 * sizeof(ifn_block_q8_32f)], mask[sizeof blocks];
    int64_t n = 0;
    conform_encode_row(dtype, x, N, blocks, mask);
    for (int64_t i = 0; i < N; i++) {
        float low, most;
        const float d = scale_of(dtype, x + i / 32 * 32, &low, &most);
        n += conform_code_at(dtype, blocks, i).c != (int)code(x[i], low, d, most);
    }
    return n;
}

TEST(every_deviation_shows_in_every_case)
{
    static const struct {
        ifn_dtype dtype;
        code_fn code;
        const char *name;
    } wrong[] = {
        {IFN_DTYPE_Q8_0, q8_0_by_division, "Q8_0: x / d"},
        {IFN_DTYPE_Q8_0, q8_0_by_another_inverse, "Q8_0: 127 / amax"},
        {IFN_DTYPE_Q8_0, q8_0_by_adding_a_half, "Q8_0: trunc(v + 1/2)"},
        {IFN_DTYPE_Q8_0, q8_0_to_even, "Q8_0: ties to even"},
        {IFN_DTYPE_Q8_32F, q8_32f_by_division, "Q8_32F: x / d"},
        {IFN_DTYPE_Q8_32F, q8_32f_away, "Q8_32F: ties away"},
        {IFN_DTYPE_Q4_0, q4_0_by_division, "Q4_0: x / d"},
        {IFN_DTYPE_Q4_0, q4_0_fused, "Q4_0: fma"},
        {IFN_DTYPE_Q5_0, q5_0_fused, "Q5_0: fma"},
        {IFN_DTYPE_Q4_1, q4_1_by_division, "Q4_1: x / d"},
        {IFN_DTYPE_Q4_1, q4_1_fused, "Q4_1: fma"},
        {IFN_DTYPE_Q5_1, q5_1_by_division, "Q5_1: x / d"},
        {IFN_DTYPE_Q5_1, q5_1_rounded, "Q5_1: round(v)"},
    };
    float x[N];
    for (size_t i = 0; i < N_OF(wrong); i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const conform_case c = {.family = FAMILY_TIES, .seed = seed};
            conform_fill_ties(&c, "x", wrong[i].dtype, x, N);
            assert_that(count_differences(wrong[i].dtype, wrong[i].code, x) > 0,
                        "%s: seed %d does not show it", wrong[i].name, (int)seed);
        }
}

/* Halfway between neighbours of F16: the last of 12 significant bits is 1. */
TEST(floats_lie_halfway)
{
    const conform_case c = {.family = FAMILY_TIES, .seed = 3};
    float x[N];
    conform_fill_ties(&c, "x", IFN_DTYPE_F16, x, N);
    for (int i = 0; i < N; i++) {
        int exponent;
        const double significand = ldexp(frexp((double)x[i], &exponent), 12);
        assert_true(significand == nearbyint(significand) && fmod(significand, 2) != 0);
    }
}

/* The largest value stands at its planned place, and no value exceeds it. */
TEST(values_stay_within_their_block)
{
    static const ifn_dtype dtypes[] = {IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_1, IFN_DTYPE_Q5_0};
    float x[N];
    for (size_t t = 0; t < N_OF(dtypes); t++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            const conform_case c = {.family = FAMILY_TIES, .seed = seed};
            conform_fill_ties(&c, "x", dtypes[t], x, N);
            for (int i = 0; i < N; i++)
                assert_true(isfinite(x[i]) && fabsf(x[i]) < 0x1p14f);
        }
}
