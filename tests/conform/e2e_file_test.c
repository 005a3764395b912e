/* Where the file of a bad call is written, and what is left if none was written. */
#include "e2e_file.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "signal_of.h"
#include "test.h"

static int temporary_folder(void **state)
{
    (void)state;
    char folder[512];
    snprintf(folder, sizeof folder, "%s", temp_path("tmp"));
    return mkdir(folder, 0700) || setenv("TMPDIR", folder, 1);
}

static void the_path_asked_for_is_numbered_behind_the_first(void **state)
{
    (void)state;
    e2e_file f;
    e2e_file_open(&f, "bad.yaml", 0);
    assert_string_equal(f.path, "bad.yaml");
    assert_string_equal(f.folder, "");
    e2e_file_close(&f, 0);
    e2e_file_open(&f, "bad.yaml", 2);
    assert_string_equal(f.path, "bad.yaml.3");
    e2e_file_close(&f, 1);
}

static void a_folder_of_its_own_stays_with_its_file_only(void **state)
{
    (void)state;
    e2e_file f;
    char path[512], folder[512];
    e2e_file_open(&f, NULL, 0);
    snprintf(path, sizeof path, "%s", f.path);
    snprintf(folder, sizeof folder, "%s", f.folder);
    assert_int_equal(strncmp(path, getenv("TMPDIR"), strlen(getenv("TMPDIR"))), 0);
    write_file(path, "x", 1);
    e2e_file_close(&f, 1);
    assert_int_equal(access(path, F_OK), 0);
    unlink(path);
    rmdir(folder);

    e2e_file_open(&f, NULL, 1);
    snprintf(folder, sizeof folder, "%s", f.folder);
    snprintf(path, sizeof path, "%.400s.17.part", f.path);
    write_file(path, "half", 4);
    e2e_file_close(&f, 0);
    assert_int_equal(access(folder, F_OK), -1);
}

static void open_and_be_interrupted(void)
{
    e2e_file f;
    e2e_file_open(&f, NULL, 0);
    if (f.folder[0])
        raise(SIGINT);
}

static void a_signal_takes_the_folder_away(void **state)
{
    (void)state;
    assert_int_equal(signal_of(open_and_be_interrupted), SIGINT);
    assert_int_equal(rmdir(getenv("TMPDIR")), 0); /* empty */
    assert_int_equal(mkdir(getenv("TMPDIR"), 0700), 0);
}

static void where_nothing_can_be_made_there_is_no_path(void **state)
{
    (void)state;
    e2e_file f;
    char kept[512], longer[2 * FIRST_BAD_PATH_BYTES];
    snprintf(kept, sizeof kept, "%s", getenv("TMPDIR"));
    setenv("TMPDIR", temp_path("no-such-folder"), 1);
    e2e_file_open(&f, NULL, 0);
    assert_string_equal(f.path, "");
    e2e_file_close(&f, 0);
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    e2e_file_open(&f, longer, 0);
    assert_string_equal(f.path, "");
    setenv("TMPDIR", longer, 1);
    e2e_file_open(&f, NULL, 0);
    assert_string_equal(f.path, "");
    setenv("TMPDIR", kept, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_path_asked_for_is_numbered_behind_the_first),
        RUN(a_folder_of_its_own_stays_with_its_file_only),
        RUN(a_signal_takes_the_folder_away),
        RUN(where_nothing_can_be_made_there_is_no_path),
    };
    const int failed = cmocka_run_group_tests(tests, temporary_folder, NULL);
    temp_clean();
    return failed;
}
