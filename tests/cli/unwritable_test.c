/*
 * Every command that writes, where it cannot: in a folder without write permission, beyond the size limit of files,
 * and on a full disk. It prints one line with the reason, returns a status that is no success, and leaves nothing in
 * the folder.
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

enum { PATH_BYTES = 1024, NOBODY = 65534, LIMIT = 200 };

static char model[PATH_BYTES], folder[PATH_BYTES], out[PATH_BYTES], report[PATH_BYTES];

enum { LATE = 1, BEFORE_THE_RUN = 2 }; /* exit statuses: a report's path is tried before its run */

/* Expects a failure. Standard output goes to `out_path`; NULL: to a file that is not full. */
static void expect_failure(int status, const char *what, const char *why, const char *out_path,
                           const char *const *argv)
{
    char want[2 * PATH_BYTES];
    program p = program_run_files(argv, NULL, out_path);
    const char *end = strchr(p.err, '\n');
    snprintf(want, sizeof want, "%s: %s\n", what, why);
    assert_that(p.status == status, "%s %s: status %d: %s", argv[1], argv[2], p.status, p.err);
    assert_that(strncmp(p.err, "inferno: ", strlen("inferno: ")) == 0 && end && !end[1],
                "%s %s: expected one line: %s", argv[1], argv[2], p.err);
    assert_that(strstr(p.err, want), "%s %s: expected %s of: %s", argv[1], argv[2], want, p.err);
    assert_that(names_in(folder, "") == 0, "%s %s: left a file", argv[1], argv[2]);
    program_free(&p);
}

#define EXPECT_FAILURE(why, ...)                                                                   \
    expect_failure(LATE, out, why, NULL, (const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_NO_REPORT(status, why, ...)                                                         \
    expect_failure(status, out, why, NULL, (const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_FULL(...)                                                                           \
    expect_failure(LATE, "/dev/full", "no space left on the device", NULL,                         \
                   (const char *const[]){__VA_ARGS__, NULL})
#define EXPECT_UNHEARD(...)                                                                        \
    expect_failure(LATE, "standard output", "no space left on the device", "/dev/full",            \
                   (const char *const[]){__VA_ARGS__, NULL})

/* Options that let `conform` judge something quickly. */
#define FEW_CASES   "--backend", "scalar", "--op", "add", "--cases", "1", "--quiet"
#define WHOLE_MODEL "--backend", "scalar", "--runs", "1", "--quiet"
#define ONE_FAULT   "--fault", "finite_mask", "--quiet"

static void try_conform(int status, const char *why)
{
    static const char *const reports[] = {"--json", "--html", "--junit"};
    for (size_t i = 0; i < N_OF(reports); i++)
        EXPECT_NO_REPORT(status, why, "inferno", "conform", FEW_CASES, reports[i], out);
    for (size_t i = 0; i < 2; i++) {
        EXPECT_NO_REPORT(status, why, "inferno", "conform", "--museum", ONE_FAULT, reports[i], out);
        EXPECT_NO_REPORT(status, why, "inferno", "conform", "merge", report, reports[i], out);
    }
    EXPECT_NO_REPORT(status, why, "inferno", "conform", "--e2e", model, WHOLE_MODEL, "--json", out);
    EXPECT_FAILURE(why, "inferno", "conform", "export", out, "--op", "add", "--cases", "1");
}

static void try_every_command(int status_of_reports, const char *why)
{
    try_conform(status_of_reports, why);
    EXPECT_FAILURE(why, "inferno", "backend", "new", "mine", out);
    EXPECT_FAILURE(why, "inferno", "quantize", model, out, "Q8_0");
    EXPECT_FAILURE(why, "inferno", "synth", "llama", out, "--embedding_length", "64",
                   "--feed_forward_length", "96", "--vocab_size", "300");
    EXPECT_FAILURE(why, "inferno", "logits", model, "--ids", "1,2", "--backend", "scalar", "--out",
                   out);
    EXPECT_FAILURE(why, "inferno", "generate", model, "-p", "a", "-n", "2", "--ctx", "8",
                   "--backend", "trace:scalar", "--quiet", "--trace", out);
}

/* The size limit acts like a full disk; child processes inherit it. */
static void a_file_that_may_not_grow_is_told_and_removed(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit limit = {.rlim_cur = LIMIT, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    try_every_command(LATE, "the file grows too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

/* Root may write everywhere, so the process becomes nobody meanwhile. Such a process may not inspect itself, as
 * sanitizers do. */
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
    const int can_run = faccessat(AT_FDCWD, program_path("inferno"), X_OK, AT_EACCESS) == 0;
    if (can_run)
        try_every_command(BEFORE_THE_RUN, "permission denied");
    if (is_root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(folder, 0700), 0);
    if (!can_run)
        skip(); /* the build is in a folder that nobody may enter */
}

static void a_full_disk_is_told(void **state)
{
    static const char *const reports[] = {"--json", "--html", "--junit", "--shrunk"};
    (void)state;
    for (size_t i = 0; i < N_OF(reports); i++)
        EXPECT_FULL("inferno", "conform", FEW_CASES, reports[i], "/dev/full");
    for (size_t i = 0; i < 2; i++) {
        EXPECT_FULL("inferno", "conform", "--museum", ONE_FAULT, reports[i], "/dev/full");
        EXPECT_FULL("inferno", "conform", "merge", report, reports[i], "/dev/full");
    }
    EXPECT_FULL("inferno", "conform", "--e2e", model, WHOLE_MODEL, "--json", "/dev/full");
    EXPECT_FULL("inferno", "logits", model, "--ids", "1,2", "--backend", "scalar", "--out",
                "/dev/full");
    EXPECT_FULL("inferno", "generate", model, "-p", "a", "-n", "2", "--ctx", "8", "--backend",
                "trace:scalar", "--quiet", "--trace", "/dev/full");
}

static void nor_can_standard_output_be_written(void **state)
{
    (void)state;
    EXPECT_UNHEARD("inferno", "conform", FEW_CASES);
    EXPECT_UNHEARD("inferno", "conform", FEW_CASES, "--tap");
    EXPECT_UNHEARD("inferno", "conform", FEW_CASES, "--json", "-");
    EXPECT_UNHEARD("inferno", "conform", "merge", report);
    EXPECT_UNHEARD("inferno", "conform", "--museum", ONE_FAULT);
    EXPECT_UNHEARD("inferno", "conform", "--e2e", model, WHOLE_MODEL);
    EXPECT_UNHEARD("inferno", "backends");
    EXPECT_UNHEARD("inferno", "inspect", model);
    EXPECT_UNHEARD("inferno", "tokenize", model, "a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_file_that_may_not_grow_is_told_and_removed),
        RUN(a_folder_that_may_not_be_written_to_is_told),
        RUN(a_full_disk_is_told),
        RUN(nor_can_standard_output_be_written),
    };
    snprintf(model, sizeof model, "%s", small_model("llama"));
    snprintf(folder, sizeof folder, "%s", temp_path("folder"));
    snprintf(out, sizeof out, "%s", temp_path("folder/result"));
    if (mkdir(folder, 0700) != 0)
        return EXIT_FAILURE;
    snprintf(report, sizeof report, "%s", temp_path("report.json"));
    program p = program_run("inferno", "conform", FEW_CASES, "--json", report);
    program_free(&p);
    if (chmod(report, 0644) != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
