/* Features by name and by level. */
#include <inferno/cpu.h>

#include <stddef.h>
#include <string.h>

#include "cpu_priv.h"

uint64_t ifn_cpu_detect(void)
{
    return ifn_cpu_detect_x86() | ifn_cpu_detect_arm() | ifn_cpu_detect_wasm();
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
