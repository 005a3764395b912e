#include <inferno/cpu.h>

#include <string.h>

#include "test.h"

TEST(levels_are_found_by_name)
{
    uint64_t mask = 0;
    assert_true(ifn_cpu_level_mask("avx2", &mask));
    assert_true(ifn_cpu_has(mask, IFN_CPU_AVX2 | IFN_CPU_FMA | IFN_CPU_F16C));
    assert_false(ifn_cpu_has(mask, IFN_CPU_AVX512F));
    assert_true(ifn_cpu_level_mask("neon_i8mm", &mask));
    assert_true(ifn_cpu_has(mask, IFN_CPU_I8MM));
    assert_false(ifn_cpu_level_mask("avx3", &mask));
}

TEST(features_have_names)
{
    assert_string_equal(ifn_cpu_feature_name(IFN_CPU_AVX512VNNI), "avx512vnni");
    assert_null(ifn_cpu_feature_name(0));
    const char *names[64];
    uint64_t known = 0;
#define X(NAME, text) known |= IFN_CPU_##NAME;
    IFN_CPU_FEATURES(X)
#undef X
    for (uint32_t i = 0; i < 64; i++) {
        names[i] = ifn_cpu_feature_name(UINT64_C(1) << i);
        assert_int_equal(names[i] != NULL, known >> i & 1);
        for (uint32_t k = 0; names[i] && k < i; k++)
            assert_true(!names[k] || strcmp(names[i], names[k]) != 0);
    }
    assert_null(ifn_cpu_feature_name(IFN_CPU_AVX | IFN_CPU_AVX2));
    assert_null(ifn_cpu_feature_name(IFN_CPU_SSE2 | IFN_CPU_AVX10));
}

TEST(this_machine_has_its_baseline)
{
#if defined(__x86_64__)
    assert_true(ifn_cpu_has(ifn_cpu_detect(), IFN_CPU_SSE2));
#elif defined(__aarch64__)
    assert_true(ifn_cpu_has(ifn_cpu_detect(), IFN_CPU_NEON));
#endif
    assert_int_equal(ifn_cpu_detect(), ifn_cpu_detect());
}
