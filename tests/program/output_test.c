#include "output.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "signal_of.h"
#include "signals.h"
#include "test.h"

TEST(the_file_appears_when_it_is_complete)
{
    output out;
    ifn_error err = {0};
    const char *path = temp_path("whole");
    assert_ok(output_open(&out, path, &err), err);
    assert_ok(output_write(&out, "abc", 3, &err), err);
    assert_int_equal(access(path, F_OK), -1);
    assert_ok(output_finish(&out, &err), err);
    output_discard(&out);
    size_t bytes;
    char *data = read_file(path, &bytes);
    assert_string_equal(data, "abc");
    assert_int_equal(names_in(temp_path(""), "whole"), 1);
    free(data);
}

TEST(what_was_there_stays_until_then)
{
    output out;
    ifn_error err = {0};
    const char *path = temp_path("older");
    write_file(path, "old", 3);
    assert_ok(output_open(&out, path, &err), err);
    assert_ok(output_write(&out, "new", 3, &err), err);
    output_discard(&out);
    char *data = read_file(path, NULL);
    assert_string_equal(data, "old");
    assert_int_equal(names_in(temp_path(""), "older"), 1);
    free(data);
}

static void write_something(void)
{
    output out;
    if (output_open(&out, temp_path("signalled"), NULL) != IFN_OK ||
        output_write(&out, "abc", 3, NULL) != IFN_OK || names_in(temp_path(""), "signalled") != 1)
        _exit(1);
    raise(SIGINT);
}

TEST(a_signal_leaves_nothing)
{
    assert_int_equal(signal_of(write_something), SIGINT);
    assert_int_equal(names_in(temp_path(""), "signalled"), 0);
}

static void be_held_up(void)
{
    signals_hold();
    if (signals_is_waiting() || raise(SIGTERM) != 0 || !signals_is_waiting())
        _exit(2);
    signals_release();
}

static void write_under_a_long_name(void)
{
    static char name[8192];
    output out;
    memset(name, 'a', sizeof name - 1);
    if (output_open(&out, temp_path("kept"), NULL) != IFN_OK)
        _exit(2);
    signals_temporary(name);
    raise(SIGHUP);
}

TEST(a_signal_waits_until_it_is_released)
{
    assert_int_equal(signal_of(be_held_up), SIGTERM);
}

/* A name that is too long to keep is dropped, not truncated. */
TEST(a_name_too_long_is_none)
{
    assert_int_equal(signal_of(write_under_a_long_name), SIGHUP);
    assert_int_equal(names_in(temp_path(""), "kept"), 1);
}

TEST(a_result_has_the_permissions_of_any_new_file)
{
    output out;
    struct stat st;
    ifn_error err = {0};
    const mode_t before = umask(027);
    assert_ok(output_open(&out, temp_path("mode"), &err), err);
    assert_ok(output_finish(&out, &err), err);
    umask(before);
    assert_int_equal(stat(temp_path("mode"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
}

TEST(a_folder_that_is_not_there_is_an_error)
{
    output out;
    ifn_error err = {0};
    assert_int_equal(output_open(&out, temp_path("no/where"), &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "no/where: no such file or directory"));
    output_discard(&out);
}

TEST(a_device_is_written_to_and_not_replaced)
{
    output out;
    struct stat st;
    ifn_error err = {0};
    assert_ok(output_open(&out, "/dev/null", &err), err);
    assert_ok(output_write(&out, "x", 1, &err), err);
    assert_ok(output_finish(&out, &err), err);
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

static void write_word(const char *path, const char *word)
{
    output out;
    ifn_error err = {0};
    assert_ok(output_open(&out, path, &err), err);
    assert_ok(output_write(&out, word, strlen(word), &err), err);
    assert_ok(output_finish(&out, &err), err);
}

static void assert_leads_to(const char *link_path, const char *word)
{
    struct stat st;
    assert_true(lstat(link_path, &st) == 0 && S_ISLNK(st.st_mode));
    char *data = read_file(link_path, NULL);
    assert_string_equal(data, word);
    free(data);
}

/* The link stays, and the file it points to is replaced as a whole. */
TEST(a_link_stays_one)
{
    output out;
    ifn_error err = {0};
    const char *target = temp_path("target"), *linked = temp_path("linked");
    write_file(target, "old", 3);
    assert_int_equal(symlink("target", linked), 0);
    write_word(linked, "new");
    assert_leads_to(linked, "new");
    assert_ok(output_open(&out, linked, &err), err);
    assert_ok(output_write(&out, "newest", 6, &err), err);
    output_discard(&out);
    assert_leads_to(linked, "new");
    assert_int_equal(unlink(target), 0);
    write_word(linked, "anew");
    assert_leads_to(linked, "anew");
    assert_int_equal(names_in(temp_path(""), "target") + names_in(temp_path(""), "linked"), 2);
}

TEST(a_full_disk_is_noticed)
{
    output out;
    ifn_error err = {0};
    assert_ok(output_open(&out, "/dev/full", &err), err);
    assert_ok(output_write(&out, "x", 1, &err), err);
    assert_int_equal(output_finish(&out, &err), IFN_ERR_IO);
    assert_string_equal(err.text, "/dev/full: no space left on the device");
    output_discard(&out);
}
