#include "build.h"

#include <inferno/backend.h>
#include <inferno/cpu.h>
#include <inferno/version.h>

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

const char *build_commit(void)
{
    return IFN_COMMIT;
}

const char *build_compiler(void)
{
#if defined __clang__
    return "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__);
#elif defined __GNUC__
    return "gcc " TEXT(__GNUC__) "." TEXT(__GNUC_MINOR__) "." TEXT(__GNUC_PATCHLEVEL__);
#else
    return "unknown";
#endif
}

const char *build_cpu_level(void)
{
    const char *best = "none";
    const uint64_t cpu = ifn_cpu_detect();
#define X(NAME, text)                                                                              \
    if (ifn_cpu_has(cpu, IFN_CPU_LEVEL_##NAME))                                                    \
        best = text;
    IFN_CPU_LEVELS(X)
#undef X
    return best;
}

void build_print(const char *program, FILE *out)
{
    fprintf(out, "%s %s\ncommit: %s\ncompiler: %s\ncpu level: %s\n", program, ifn_version(),
            build_commit(), build_compiler(), build_cpu_level());
    fprintf(out, "plugin ABI: %u.%u\nspec: %s\nreport: %s\n", IFN_BACKEND_ABI,
            IFN_BACKEND_ABI_MINOR, IFN_SPEC_VERSION, IFN_REPORT_VERSION);
}
