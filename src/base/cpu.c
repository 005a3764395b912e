/* Processor features by name and by level of the simd backend. */
#include <inferno/cpu.h>

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "cpu_priv.h"

/* Detects once and keeps the answer: in a virtual machine each cpuid traps to the host and takes as long as an
 * op on a few thousand elements. */
uint64_t ifn_cpu_detect(void)
{
    static _Atomic uint64_t known;
    uint64_t features = atomic_load_explicit(&known, memory_order_relaxed);
    if (!features) {
        features = ifn_cpu_detect_x86() | ifn_cpu_detect_arm() | ifn_cpu_detect_wasm();
        atomic_store_explicit(&known, features, memory_order_relaxed);
    }
    return features;
}

int ifn_cpu_ask_for_tiles(void)
{
    return ifn_cpu_has(ifn_cpu_detect(), IFN_CPU_AMXTILE) && ifn_cpu_request_tiles_x86();
}

int ifn_cpu_level_mask(const char *name, uint64_t *out)
{
    static const struct {
        const char *name;
        uint64_t features;
    } levels[] = {
#define X(NAME, text) {text, IFN_CPU_LEVEL_##NAME},
        IFN_CPU_LEVELS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (strcmp(name, levels[i].name) == 0) {
            *out = levels[i].features;
            return 1;
        }
    }
    return 0;
}

const char *ifn_cpu_feature_name(uint64_t feature)
{
    switch (feature) {
#define X(NAME, text)                                                                              \
    case IFN_CPU_##NAME:                                                                           \
        return text;
        IFN_CPU_FEATURES(X)
#undef X
    default:
        return NULL;
    }
}
