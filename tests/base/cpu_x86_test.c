#include "cpu_priv.h"

#include <inferno/cpu.h>

#include "test.h"

/* A machine with all features, whose system saves all registers. */
static ifn_cpuid everything(void)
{
    return (ifn_cpuid){~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x600e7, true};
}

static void a_full_machine_has_every_x86_level(void **state)
{
    (void)state;
    const ifn_cpuid id = everything();
    const uint64_t f = ifn_cpu_decode_x86(&id);
    assert_true(ifn_cpu_has(f, IFN_CPU_LEVEL_AVX512VNNI | IFN_CPU_LEVEL_AVXVNNI));
    assert_true(ifn_cpu_has(f, IFN_CPU_AVX512BF16));
    assert_true(ifn_cpu_has(f, IFN_CPU_LEVEL_AMXINT8));
    assert_true(ifn_cpu_has(f, IFN_CPU_LEVEL_AMXBF16));
    assert_true(ifn_cpu_has(f, IFN_CPU_AVX10)); /* its bit lies beyond 32 */
    assert_false(ifn_cpu_has(f, IFN_CPU_NEON));
}

static void registers_the_system_does_not_save_do_not_count(void **state)
{
    (void)state;
    ifn_cpuid id = everything();
    id.xcr0 = 0x7; /* AVX state, no AVX-512 state */
    uint64_t f = ifn_cpu_decode_x86(&id);
    assert_true(ifn_cpu_has(f, IFN_CPU_LEVEL_AVX2));
    assert_false(ifn_cpu_has(f, IFN_CPU_AVX512F));
    assert_false(ifn_cpu_has(f, IFN_CPU_AVX10));
    id.xcr0 = 0xe7; /* no tile registers, or half of what they need */
    assert_true(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_LEVEL_AVX512VNNI));
    assert_false(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AMXTILE));
    id.xcr0 = 0x200e7;
    assert_false(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AMXTILE));
    id = everything();
    id.has_tiles = false; /* the system has refused them */
    assert_false(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AMXTILE));
    assert_true(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AVX10));
    id = everything();
    id.xcr0 = 0x3;
    f = ifn_cpu_decode_x86(&id);
    assert_true(ifn_cpu_has(f, IFN_CPU_LEVEL_BASELINE));
    assert_false(ifn_cpu_has(f, IFN_CPU_AVX));
    id = everything();
    id.ecx1 &= ~(1u << 27); /* no OSXSAVE: XCR0 means nothing */
    assert_false(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AVX));
}

static void features_depend_on_the_one_below(void **state)
{
    (void)state;
    ifn_cpuid id = everything();
    id.ecx1 &= ~(1u << 28); /* no AVX */
    assert_false(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AVX2));
    id = everything();
    id.ebx7 &= ~(1u << 16); /* no AVX512F */
    assert_false(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AVX512VNNI));
    id = everything();
    id.ecx7 &= ~(1u << 11);
    assert_true(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_LEVEL_AVX512));
    assert_false(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AVX512VNNI));
    id = everything();
    id.edx7 &= ~(1u << 24); /* no tile registers */
    assert_false(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AMXINT8));
    id = everything();
    id.edx7 &= ~(1u << 25); /* tile registers, for other products */
    assert_true(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AMXTILE));
    assert_false(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AMXINT8));
    assert_true(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AMXBF16));
    id = everything();
    id.edx7 &= ~(1u << 22); /* products of integers alone */
    assert_true(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_LEVEL_AMXINT8));
    assert_false(ifn_cpu_has(ifn_cpu_decode_x86(&id), IFN_CPU_AMXBF16));
}

/* Asking for tile registers succeeds if and only if they were detected. */
static void tile_registers_are_given_where_they_are_detected(void **state)
{
    (void)state;
    const int has = ifn_cpu_has(ifn_cpu_detect(), IFN_CPU_AMXTILE);
    assert_int_equal(ifn_cpu_ask_for_tiles(), has);
    assert_int_equal(ifn_cpu_ask_for_tiles(), has); /* again */
}

static void detection_is_x86_only(void **state)
{
    (void)state;
#if defined(__x86_64__) || defined(__i386__)
    assert_true(ifn_cpu_detect_x86() != 0);
#else
    assert_int_equal(ifn_cpu_detect_x86(), 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_full_machine_has_every_x86_level),
        RUN(registers_the_system_does_not_save_do_not_count),
        RUN(features_depend_on_the_one_below),
        RUN(tile_registers_are_given_where_they_are_detected),
        RUN(detection_is_x86_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
