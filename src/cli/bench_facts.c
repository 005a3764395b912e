#include "bench_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include <inferno/cpu.h>
#include <inferno/version.h>

#include "machine.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
#ifdef __OPTIMIZE__
#define OPTIMISED ""
#else
#define OPTIMISED ", not optimised"
#endif

/* The text behind `key` and a colon in the first such line of /proc/cpuinfo. */
static void cpuinfo(const char *key, char *out, size_t bytes)
{
    FILE *const file = fopen("/proc/cpuinfo", "re");
    char line[256];
    snprintf(out, bytes, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *const colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) != 0 || !colon)
            continue;
        snprintf(out, bytes, "%.*s", (int)strcspn(colon + 1, "\n") - 1, colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

/* The names of all levels this processor has. */
static void levels(char *out, size_t bytes)
{
    static const struct {
        const char *name;
        uint32_t features;
    } all[] = {
#define X(NAME, text, features) {text, IFN_CPU_LEVEL_##NAME},
        IFN_CPU_LEVELS(X)
#undef X
    };
    size_t used = 0;
    snprintf(out, bytes, "none");
    for (size_t i = 0; i < sizeof all / sizeof *all && used < bytes; i++) {
        if (!ifn_cpu_has(ifn_cpu_detect(), all[i].features))
            continue;
        const int n = snprintf(out + used, bytes - used, "%s%s", used ? " " : "", all[i].name);
        used += n > 0 ? (size_t)n : 0;
    }
}

void bench_facts(bench_fact out[BENCH_N_FACTS])
{
    enum { BYTES = sizeof out->value };
    static const char *const names[BENCH_N_FACTS] = {
        "inferno", "compiler", "processor", "levels", "processors", "memory", "system", "date"};
    const time_t now = time(NULL);
    struct utsname u;
    struct tm utc;
    for (int i = 0; i < BENCH_N_FACTS; i++)
        out[i] = (bench_fact){.name = names[i], .value = "unknown"};
    snprintf(out[0].value, BYTES, "%s", ifn_version());
    snprintf(out[1].value, BYTES, "%s", COMPILER OPTIMISED);
    cpuinfo("model name", out[2].value, BYTES);
    levels(out[3].value, BYTES);
    snprintf(out[4].value, BYTES, "%" PRId32, ifn_cpu_count());
    snprintf(out[5].value, BYTES, "%.1f GiB", (double)machine_memory_bytes() / 0x1p30);
    if (uname(&u) == 0)
        snprintf(out[6].value, BYTES, "%.40s %.80s %.30s", u.sysname, u.release, u.machine);
    if (gmtime_r(&now, &utc))
        strftime(out[7].value, BYTES, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
