/*
 * Every command that writes a file, where it cannot: into a folder that may not be written to, and
 * beyond the size a file may have, as on a full disk. One line, a status that is not success, and
 * nothing in the folder.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "program.h"
#include "test.h"

enum { PATH_BYTES = 1024, NOBODY = 65534, LIMIT = 1000 };

static char model[PATH_BYTES], folder[PATH_BYTES], out[PATH_BYTES];

static void expect_failure(const char *why, const char *const *argv)
{
    program p = program_run_list(argv);
    const char *end = strchr(p.err, '\n');
    assert_that(p.status == 1 || p.status == 2, "%s: status %d: %s", argv[1], p.status, p.err);
    assert_that(strncmp(p.err, "inferno: ", strlen("inferno: ")) == 0 && end && !end[1],
                "%s: expected one line: %s", argv[1], p.err);
    assert_that(strstr(p.err, out) && strstr(p.err, why), "%s: expected '%s' of %s: %s", argv[1],
                why, out, p.err);
    assert_that(count_files(folder) == 0, "%s: left a file", argv[1]);
    program_free(&p);
}

#define EXPECT_FAILURE(why, ...) expect_failure(why, (const char *const[]){__VA_ARGS__, NULL})

static void try_every_command(const char *why)
{
    EXPECT_FAILURE(why, "inferno", "quantize", model, out, "Q8_0");
    EXPECT_FAILURE(why, "inferno", "synth", "llama", out, "--embedding_length", "64",
                   "--feed_forward_length", "96", "--vocab_size", "300");
    EXPECT_FAILURE(why, "inferno", "logits", model, "--ids", "1,2", "--backend", "scalar", "--out",
                   out);
    EXPECT_FAILURE(why, "inferno", "generate", model, "-p", "a", "-n", "2", "--ctx", "8",
                   "--backend", "trace:scalar", "--quiet", "--trace", out);
}

/* As on a full disk; what this process runs inherits the limit. */
static void a_file_that_may_not_grow_is_told_and_removed(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit limit = {.rlim_cur = LIMIT, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    try_every_command("the file grows too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

/* Root may write everywhere: it becomes nobody for as long. A process that has may not look into
 * itself, as sanitizers do. */
static void a_folder_that_may_not_be_written_to_is_told(void **state)
{
    (void)state;
    const int is_root = geteuid() == 0;
    if (INSTRUMENTED && is_root)
        skip();
    assert_int_equal(chmod(folder, 0500), 0);
    if (is_root) {
        assert_int_equal(chown(folder, NOBODY, (gid_t)-1), 0);
        assert_int_equal(chown(temp_path(""), NOBODY, (gid_t)-1), 0);
        assert_int_equal(chmod(model, 0644), 0);
        unlink(temp_path("stdout")); /* program_run makes them anew */
        unlink(temp_path("stderr"));
        assert_int_equal(seteuid(NOBODY), 0);
    }
    if (faccessat(AT_FDCWD, program_path("inferno"), X_OK, AT_EACCESS) == 0)
        try_every_command("permission denied");
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(folder, 0700), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_file_that_may_not_grow_is_told_and_removed),
        RUN(a_folder_that_may_not_be_written_to_is_told),
    };
    snprintf(model, sizeof model, "%s", small_model("llama"));
    snprintf(folder, sizeof folder, "%s", temp_path("folder"));
    snprintf(out, sizeof out, "%s", temp_path("folder/result"));
    if (mkdir(folder, 0700) != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
