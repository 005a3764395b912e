#include "bench_facts.h"

#include <inttypes.h>
#include <stdio.h>

#include <inferno/cpu.h>
#include <inferno/version.h>

#include "build.h"
#include "cpu_levels.h"
#include "machine.h"
#include "system.h"

#ifdef __OPTIMIZE__
#define OPTIMISED ""
#else
#define OPTIMISED ", not optimised"
#endif

/* Writes the names of all levels that this processor supports. */
static void levels(char *out, size_t bytes)
{
    size_t used = 0;
    snprintf(out, bytes, "none");
    for (size_t i = 0; i < N_CPU_LEVELS && used < bytes; i++) {
        if (!ifn_cpu_has(ifn_cpu_detect(), cpu_levels[i].features))
            continue;
        const int n =
            snprintf(out + used, bytes - used, "%s%s", used ? " " : "", cpu_levels[i].name);
        used += n > 0 ? (size_t)n : 0;
    }
}

void bench_facts(bench_fact out[BENCH_N_FACTS])
{
    enum { BYTES = sizeof out->value };
    static const char *const names[BENCH_N_FACTS] = {"inferno",   "commit", "compiler",
                                                     "processor", "levels", "processors",
                                                     "memory",    "system", "date"};
    for (int i = 0; i < BENCH_N_FACTS; i++)
        out[i] = (bench_fact){.name = names[i]};
    snprintf(out[0].value, BYTES, "%s", ifn_version());
    snprintf(out[1].value, BYTES, "%s", build_commit());
    snprintf(out[2].value, BYTES, "%s%s", build_compiler(), OPTIMISED);
    system_cpu(out[3].value, BYTES);
    levels(out[4].value, BYTES);
    snprintf(out[5].value, BYTES, "%" PRId32, ifn_cpu_count());
    snprintf(out[6].value, BYTES, "%.1f GiB", (double)machine_memory_bytes() / 0x1p30);
    system_name(out[7].value, BYTES);
    system_date(out[8].value, BYTES);
}
