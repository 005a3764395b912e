/*
 * The vocabulary and the exponential of one level; built once for each. A level that this processor
 * lacks is skipped. INFERNO_EXHAUSTIVE=1 takes every float instead of one in 1009.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "vec_math.h"

#include <inferno/cpu.h>

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t stride(void)
{
    return getenv("INFERNO_EXHAUSTIVE") ? 1 : 1009;
}

/* |got - e^x| in units of the last place of e^x; results below the smallest normal may be 0. */
static double ulps_off(float x, float got)
{
    const double want = exp((double)x);
    if (want >= 0x1.ffffffp127)
        return isinf(got) ? 0.0 : 1e9;
    if (want < 0x1p-126)
        return fabs((double)got - want) / 0x1p-149;
    return fabs((double)got - want) / ldexp(1.0, ilogb(want) - 23);
}

static void the_exponential_is_within_its_budget(void **state)
{
    (void)state;
    double worst = 0.0;
    float worst_at = 0.0f;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += stride() * (uint64_t)VL) {
        float x[VL], y[VL];
        for (int i = 0; i < VL; i++)
            x[i] = from_bits((uint32_t)(bits + (uint64_t)i * stride()));
        vf_store(y, vf_exp(vf_load(x)));
        for (int i = 0; i < VL; i++) {
            if (isnan(x[i])) {
                assert_true(isnan(y[i]));
                continue;
            }
            const double off = ulps_off(x[i], y[i]);
            worst_at = off > worst ? x[i] : worst_at;
            worst = off > worst ? off : worst;
        }
    }
    print_message("worst error of e^x: %.3f ulp, at %a\n", worst, (double)worst_at);
    assert_true(worst <= 2.0); /* numerics 5 */
}

static float exp_of(float x)
{
    return vf_first(vf_exp(vf_set(x)));
}

static void special_arguments_give_exact_results(void **state)
{
    (void)state;
    assert_true(exp_of(0.0f) == 1.0f && exp_of(-0.0f) == 1.0f);
    assert_true(exp_of(-INFINITY) == 0.0f && isinf(exp_of(INFINITY)));
    assert_true(exp_of(-110.0f) == 0.0f && isinf(exp_of(88.73f)));
    assert_true(isfinite(exp_of(88.72f)) && isnan(exp_of(NAN)));
}

static void four_sums_at_once_are_the_four_sums(void **state)
{
    (void)state;
    float x[4][VL], got[4];
    for (int trial = 0; trial < 100; trial++) {
        for (int i = 0; i < 4 * VL; i++)
            x[i / VL][i % VL] = ldexpf((float)(rand() % 65536 - 32768), rand() % 12);
        vf_sum4(got, vf_load(x[0]), vf_load(x[1]), vf_load(x[2]), vf_load(x[3]));
        for (int i = 0; i < 4; i++) {
            const float want = vf_sum(vf_load(x[i]));
            assert_memory_equal(&got[i], &want, sizeof want);
        }
    }
}

static void the_first_n_lanes_and_no_others(void **state)
{
    (void)state;
    for (int n = 0; n <= VL; n++) {
        float x[VL], y[VL], kept[VL];
        for (int i = 0; i < VL; i++)
            x[i] = (float)(i + 1), kept[i] = -1.0f;
        vf_store(y, vf_load_n(x, n));
        vf_store_n(kept, vf_load(x), n);
        for (int i = 0; i < VL; i++) {
            assert_true(y[i] == (i < n ? x[i] : 0.0f));
            assert_true(kept[i] == (i < n ? x[i] : -1.0f));
        }
    }
}

static void the_fraction_is_cut_off(void **state)
{
    (void)state;
    static const float values[] = {0.0f, 0.5f, 0.99999994f, 1.0f, 2.5f, 31.999998f, 255.5f, 1e6f};
    for (size_t i = 0; i < N_OF(values); i++) {
        assert_true(vf_first(vf_trunc(vf_set(values[i]))) == truncf(values[i]));
        assert_true(vf_first(vf_trunc(vf_set(-values[i]))) == truncf(-values[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_exponential_is_within_its_budget),
        RUN(special_arguments_give_exact_results),
        RUN(four_sums_at_once_are_the_four_sums),
        RUN(the_first_n_lanes_and_no_others),
        RUN(the_fraction_is_cut_off),
    };
    if (!ifn_cpu_has(ifn_cpu_detect(), IFN_LEVEL_NEEDS))
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
