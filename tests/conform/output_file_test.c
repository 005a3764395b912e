#include "output_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "paths.h"
#include "test.h"

static void put_word(const conform_report *r, FILE *out)
{
    (void)r;
    fputs("whole", out);
}

TEST(a_file_appears_complete)
{
    ifn_error err = {0};
    const char *path = temp_path("report");
    assert_ok(conform_write_file(path, put_word, NULL, &err), err);
    char *text = read_file(path, NULL);
    assert_string_equal(text, "whole");
    free(text);
    temp_clean();
}

TEST(what_cannot_be_written_is_an_error)
{
    ifn_error err = {0};
    assert_int_equal(conform_write_file("/nowhere/at/all", put_word, NULL, &err), IFN_ERR_IO);
    assert_string_equal(err.text, "/nowhere/at/all: no such file or directory");
    assert_int_equal(conform_write_file("/dev", put_word, NULL, &err), IFN_ERR_IO);
}

/* The links are in a folder of the test's own, so a rename never has a device of the machine as its target. */
TEST(what_is_no_plain_file_is_written_through)
{
    ifn_error err = {0};
    struct stat st;
    char full[1024], link_name[1024];
    strcpy(full, temp_path("full"));
    assert_int_equal(symlink("/dev/full", full), 0);
    assert_int_equal(conform_write_file(full, put_word, NULL, &err), IFN_ERR_IO);
    assert_that(strstr(err.text, full) && strstr(err.text, "no space left"), "%s", err.text);
    assert_true(lstat(full, &st) == 0 && S_ISLNK(st.st_mode));

    const char *target = temp_path("target");
    write_file(target, "old", 3);
    strcpy(link_name, temp_path("link"));
    assert_int_equal(symlink(target, link_name), 0);
    assert_ok(conform_write_file(link_name, put_word, NULL, &err), err);
    assert_true(lstat(link_name, &st) == 0 && S_ISLNK(st.st_mode));
    char *text = read_file(link_name, NULL);
    assert_string_equal(text, "whole");
    free(text);
    temp_clean();
}

/* The error comes before a run, not after hours of it; trying a path leaves no file behind and changes none. */
TEST(a_place_is_tried_before_there_is_anything_to_write)
{
    ifn_error err = {0};
    char path[256];
    snprintf(path, sizeof path, "%s", temp_path("report"));
    assert_ok(conform_check_output(path, &err), err);
    assert_int_not_equal(access(path, F_OK), 0);
    write_file(path, "old", 3);
    assert_ok(conform_check_output(path, &err), err);
    char *text = read_file(path, NULL);
    assert_string_equal(text, "old");
    free(text);
    assert_ok(conform_check_output(NULL, &err), err);
    assert_ok(conform_check_output("-", &err), err);
    assert_ok(conform_check_output("/dev/full", &err), err);
    assert_int_equal(conform_check_output("/nowhere/at/all", &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "/nowhere/at/all: no such file or directory");
    assert_int_equal(names_in(temp_path(""), "report"), 1);
    temp_clean();
}
