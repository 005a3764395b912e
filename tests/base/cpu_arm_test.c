#include "cpu_priv.h"

#include <inferno/cpu.h>

#include "test.h"

TEST(detection_is_arm_only)
{
#if defined(__aarch64__)
    assert_true(ifn_cpu_has(ifn_cpu_detect_arm(), IFN_CPU_NEON));
#else
    assert_int_equal(ifn_cpu_detect_arm(), 0);
#endif
}
