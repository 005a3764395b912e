#include "cpu_priv.h"

#include <inferno/cpu.h>

#include "test.h"

static void detection_is_arm_only(void **state)
{
    (void)state;
#if defined(__aarch64__)
    assert_true(ifn_cpu_has(ifn_cpu_detect_arm(), IFN_CPU_NEON));
#else
    assert_int_equal(ifn_cpu_detect_arm(), 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(detection_is_arm_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
