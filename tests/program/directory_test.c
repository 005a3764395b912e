#include "directory.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "signal_of.h"
#include "signals.h"
#include "test.h"

static void add(directory *dir, const char *name, const char *data)
{
    ifn_error err = {0};
    assert_ok(directory_add(dir, name, data, strlen(data), &err), err);
}

static void write_directory(const char *path)
{
    directory dir;
    ifn_error err = {0};
    assert_ok(directory_open(&dir, path, &err), err);
    add(&dir, "one", "1");
    add(&dir, "two", "22");
    assert_ok(directory_finish(&dir, &err), err);
    directory_discard(&dir);
}

TEST(the_directory_appears_when_it_is_complete)
{
    directory dir;
    ifn_error err = {0};
    const char *path = temp_path("whole");
    assert_ok(directory_open(&dir, path, &err), err);
    add(&dir, "one", "1");
    assert_int_equal(access(path, F_OK), -1);
    assert_ok(directory_finish(&dir, &err), err);
    char *data = read_file(temp_path("whole/one"), NULL);
    assert_string_equal(data, "1");
    assert_int_equal(names_in(temp_path(""), "whole"), 1);
    free(data);
}

TEST(a_discarded_directory_leaves_nothing)
{
    directory dir;
    ifn_error err = {0};
    assert_ok(directory_open(&dir, temp_path("gone"), &err), err);
    add(&dir, "one", "1");
    directory_discard(&dir);
    assert_int_equal(names_in(temp_path(""), "gone"), 0);
}

TEST(folders_within_hold_files_and_go_with_the_rest)
{
    directory dir;
    ifn_error err = {0};
    for (int is_kept = 0; is_kept < 2; is_kept++) {
        assert_ok(directory_open(&dir, temp_path("tree"), &err), err);
        assert_ok(directory_folder(&dir, "0000", &err), err);
        add(&dir, "0000/a.npy", "1");
        add(&dir, "index", "2");
        if (is_kept)
            assert_ok(directory_finish(&dir, &err), err);
        else
            directory_discard(&dir);
        assert_int_equal(names_in(temp_path(""), "tree"), is_kept);
    }
    assert_int_equal(access(temp_path("tree/0000/a.npy"), F_OK), 0);
}

static void fill_under_a_signal(void)
{
    directory dir;
    if (directory_open(&dir, temp_path("signalled"), NULL) != IFN_OK ||
        directory_add(&dir, "one", "1", 1, NULL) != IFN_OK || raise(SIGTERM) != 0 ||
        directory_add(&dir, "two", "2", 1, NULL) == IFN_OK)
        _exit(2);
    directory_discard(&dir);
}

TEST(a_signal_waits_until_nothing_is_left)
{
    assert_int_equal(signal_of(fill_under_a_signal), SIGTERM);
    assert_int_equal(names_in(temp_path(""), "signalled"), 0);
}

TEST(an_ignored_signal_does_not_end_it)
{
    signal(SIGHUP, SIG_IGN);
    signals_init("test");
    directory dir;
    ifn_error err = {0};
    assert_ok(directory_open(&dir, temp_path("ignoring"), &err), err);
    assert_int_equal(raise(SIGHUP), 0);
    add(&dir, "one", "1");
    assert_ok(directory_finish(&dir, &err), err);
}

TEST(an_empty_directory_is_filled)
{
    const char *path = temp_path("empty");
    assert_int_equal(mkdir(path, 0777), 0);
    write_directory(path);
    assert_int_equal(names_in(path, ""), 2);
    assert_int_equal(names_in(temp_path(""), "empty"), 1);
}

TEST(slashes_at_the_end_of_the_path_mean_nothing)
{
    write_directory(temp_path("slashes//"));
    assert_int_equal(names_in(temp_path("slashes"), ""), 2);
    assert_int_equal(names_in(temp_path(""), "slashes"), 1);
}

TEST(its_permissions_are_those_of_any_new_directory)
{
    struct stat st;
    const mode_t mask = umask(027);
    write_directory(temp_path("usual"));
    umask(mask);
    assert_int_equal(stat(temp_path("usual"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0750);
    assert_int_equal(stat(temp_path("usual/one"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
}

static void expect_refused(const char *path, ifn_status status, const char *text)
{
    directory dir;
    ifn_error err = {0};
    assert_int_equal(directory_open(&dir, path, &err), status);
    assert_that(strstr(err.text, text) != NULL, "expected '%s' in: %s", text, err.text);
    assert_null(dir.temporary);
}

TEST(what_is_there_is_not_touched)
{
    write_directory(temp_path("full"));
    write_file(temp_path("file"), "x", 1);
    expect_refused(temp_path("full"), IFN_ERR_ARGUMENT, "is not empty");
    expect_refused(temp_path("file"), IFN_ERR_ARGUMENT, "is no directory");
    assert_int_equal(names_in(temp_path("full"), ""), 2);
    assert_int_equal(names_in(temp_path(""), "full"), 1);
}

TEST(a_missing_parent_is_an_error)
{
    expect_refused(temp_path("nowhere/new"), IFN_ERR_IO, "no such file or directory");
}

TEST(a_directory_filled_meanwhile_is_kept)
{
    directory dir;
    ifn_error err = {0};
    const char *path = temp_path("raced");
    assert_ok(directory_open(&dir, path, &err), err);
    add(&dir, "one", "1");
    write_directory(path);
    assert_int_equal(directory_finish(&dir, &err), IFN_ERR_IO);
    assert_int_equal(names_in(path, ""), 2);
    assert_int_equal(names_in(temp_path(""), "raced"), 1);
}

TEST(the_current_directory_cannot_be_replaced)
{
    directory dir;
    char before[1024];
    ifn_error err = {0};
    const char *path = temp_path("current");
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(chdir(path), 0);
    assert_ok(directory_open(&dir, ".", &err), err);
    assert_int_equal(directory_finish(&dir, &err), IFN_ERR_ARGUMENT);
    assert_int_equal(chdir(before), 0);
    assert_non_null(strstr(err.text, ".: is in use"));
    assert_int_equal(names_in(path, ""), 0);
}

TEST(a_name_twice_is_an_error)
{
    directory dir;
    ifn_error err = {0};
    assert_ok(directory_open(&dir, temp_path("twice"), &err), err);
    add(&dir, "one", "1");
    assert_int_equal(directory_add(&dir, "one", "2", 1, &err), IFN_ERR_IO);
    directory_discard(&dir);
    assert_int_equal(names_in(temp_path(""), "twice"), 0);
}
