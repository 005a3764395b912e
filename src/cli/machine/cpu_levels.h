/* The levels of IFN_CPU_LEVELS by name. */
#ifndef IFN_CLI_CPU_LEVELS_H
#define IFN_CLI_CPU_LEVELS_H

#include <inferno/cpu.h>

typedef struct cpu_level {
    const char *name;
    uint64_t features;
} cpu_level;

static const cpu_level cpu_levels[] = {
#define X(NAME, text) {text, IFN_CPU_LEVEL_##NAME},
    IFN_CPU_LEVELS(X)
#undef X
};

enum { N_CPU_LEVELS = sizeof cpu_levels / sizeof *cpu_levels };

#endif
