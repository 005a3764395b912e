/*
 * Replays every committed input of one fuzzer. A name that begins with "finding-" is an input that once did harm, and
 * may be refused. All others are seeds, which must be accepted: a refused seed would let the fuzzer reach only the
 * first checks.
 *
 *     replay FOLDER
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_input.h"
#include "guard.h"
#include "paths.h"
#include "test.h"

static const char *folder;

static int is_seed(const char *name)
{
    return strncmp(name, "finding-", strlen("finding-")) != 0;
}

/* Replays an input in memory that ends at a protected page. */
static void replay(const char *name)
{
    char path[1024];
    size_t bytes;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *data = read_file(path, &bytes);
    assert_that(data, "%s: cannot be read", path);
    guard exact = guard_at_end(bytes);
    if (bytes)
        memcpy(exact.data, data, bytes);
    guard_read_only(&exact);
    print_message("%s\n", name);
    const int taken = fuzz_one(exact.data, bytes);
    assert_that(taken || !is_seed(name), "%s: a seed, and it is refused", name);
    guard_free(&exact);
    free(data);
}

static void every_input_of_the_corpus_runs(void **state)
{
    struct dirent **entries;
    int n_seeds = 0;
    (void)state;
    const int n = scandir(folder, &entries, NULL, alphasort);
    assert_that(n > 0, "%s: cannot be read", folder);
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.') {
            n_seeds += is_seed(entries[i]->d_name);
            replay(entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    assert_that(n_seeds > 0, "%s: no seeds", folder);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        RUN(every_input_of_the_corpus_runs),
    };
    if (argc != 2)
        return EXIT_FAILURE;
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
