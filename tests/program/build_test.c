#include "build.h"

#include <string.h>

#include <inferno/backend.h>
#include <inferno/cpu.h>
#include <inferno/version.h>

#include "test.h"

TEST(the_version_names_what_it_was_built_from_and_what_it_speaks)
{
    char text[512] = "", want[512];
    FILE *const out = fmemopen(text, sizeof text, "w");
    build_print("cook", out);
    fclose(out);
    snprintf(want, sizeof want,
             "cook %s\ncommit: %s\ncompiler: %s\ncpu level: %s\nplugin ABI: %u.%u\n"
             "spec: op/1\nreport: conform-report/1\n",
             IFN_VERSION, build_commit(), build_compiler(), build_cpu_level(), IFN_BACKEND_ABI,
             IFN_BACKEND_ABI_MINOR);
    assert_string_equal(text, want);
}

TEST(the_commit_is_a_hash_or_unknown)
{
    const char *const commit = build_commit();
    const size_t n = strspn(commit, "0123456789abcdef");
    assert_true((n >= 7 && commit[n] == '\0') || strcmp(commit, "unknown") == 0);
}

TEST(the_compiler_has_a_version)
{
    assert_true(strncmp(build_compiler(), "gcc ", 4) == 0 ||
                strncmp(build_compiler(), "clang ", 6) == 0);
    assert_non_null(strpbrk(build_compiler(), "0123456789"));
}

TEST(the_level_is_the_last_of_the_list_that_runs)
{
    static const struct {
        const char *name;
        uint64_t features;
    } levels[] = {
#define X(NAME, text) {text, IFN_CPU_LEVEL_##NAME},
        IFN_CPU_LEVELS(X)
#undef X
    };
    size_t i = N_OF(levels);
    while (i > 0 && !ifn_cpu_has(ifn_cpu_detect(), levels[i - 1].features))
        i--;
    assert_string_equal(build_cpu_level(), i ? levels[i - 1].name : "none");
}
