/* aarch64: the operating system's kernel says which features programs may use. */
#include "cpu_priv.h"

#include <inferno/cpu.h>

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

/* Bit numbers of AT_HWCAP and AT_HWCAP2 (Linux, asm/hwcap.h). */
enum {
    HWCAP_BIT_ASIMD = 1,
    HWCAP_BIT_ASIMDHP = 10,
    HWCAP_BIT_ASIMDDP = 20,
    HWCAP2_BIT_SVE2 = 1,
    HWCAP2_BIT_I8MM = 13
};

uint64_t ifn_cpu_detect_arm(void)
{
    const unsigned long caps = getauxval(AT_HWCAP), caps2 = getauxval(AT_HWCAP2);
    uint64_t features = 0;
    if (caps >> HWCAP_BIT_ASIMD & 1)
        features |= IFN_CPU_NEON;
    if (caps >> HWCAP_BIT_ASIMDHP & 1)
        features |= IFN_CPU_FP16;
    if (caps >> HWCAP_BIT_ASIMDDP & 1)
        features |= IFN_CPU_DOTPROD;
    if (caps2 >> HWCAP2_BIT_I8MM & 1)
        features |= IFN_CPU_I8MM;
    if (caps2 >> HWCAP2_BIT_SVE2 & 1)
        features |= IFN_CPU_SVE2;
    return features;
}
#else
uint64_t ifn_cpu_detect_arm(void)
{
    return 0;
}
#endif
