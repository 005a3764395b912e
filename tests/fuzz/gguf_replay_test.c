/* Every committed input once more: what a fuzzer found stays found. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/gguf.h>

#include "fuzz_input.h"
#include "guard.h"
#include "paths.h"
#include "test.h"

static void replay(const char *path)
{
    size_t bytes;
    char *data = read_file(path, &bytes);
    assert_non_null(data);
    guard exact = guard_at_end(bytes);
    memcpy(exact.data, data, bytes);
    guard_read_only(&exact);
    assert_int_equal(LLVMFuzzerTestOneInput(exact.data, bytes), 0);
    guard_free(&exact);
    free(data);
}

static void every_input_of_the_corpus_runs(void **state)
{
    (void)state;
    DIR *dir = opendir(source_path("tests/fuzz/corpus/gguf"));
    size_t n = 0;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char relative[512];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(relative, sizeof relative, "tests/fuzz/corpus/gguf/%s", entry->d_name);
        replay(source_path(relative));
        n++;
    }
    closedir(dir);
    assert_true(n >= 6);
}

/* A seed that does not open would leave the fuzzer at the door. */
static void the_seeds_are_well_formed(void **state)
{
    (void)state;
    static const char *const seeds[] = {"all-types.gguf", "aligned-8.gguf",     "version-1.gguf",
                                        "version-2.gguf", "metadata-only.gguf", "scalars.gguf"};
    for (size_t i = 0; i < N_OF(seeds); i++) {
        char relative[128];
        ifn_gguf *gguf;
        ifn_error err;
        snprintf(relative, sizeof relative, "tests/fuzz/corpus/gguf/%s", seeds[i]);
        assert_ok(ifn_gguf_open(source_path(relative), NULL, &gguf, &err), err);
        ifn_gguf_close(gguf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_input_of_the_corpus_runs),
        RUN(the_seeds_are_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
