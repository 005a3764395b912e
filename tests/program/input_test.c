#include "input.h"

#include <string.h>
#include <sys/stat.h>

#include "paths.h"
#include "test.h"

static void expect_refused(const char *path, long long most, const char *why)
{
    FILE *file;
    ifn_error err = {0};
    assert_int_equal(input_open(&file, path, most, &err), IFN_ERR_IO);
    assert_null(file);
    assert_that(strstr(err.text, why), "'%s', expected '%s'", err.text, why);
}

TEST(a_regular_file_is_read)
{
    FILE *file;
    ifn_error err = {0};
    const char *path = temp_path("four");
    write_file(path, "1234", 4);
    assert_ok(input_open(&file, path, 4, &err), err);
    assert_int_equal(fgetc(file), '1');
    assert_int_equal(fclose(file), 0);
    expect_refused(path, 3, "four: 4 bytes, expected at most 3");
    temp_clean();
}

/* Opening a FIFO without a writer would wait, and a device may have no end. */
TEST(what_may_never_end_is_refused)
{
    const char *path = temp_path("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refused(path, 100, "pipe: is a FIFO, expected a regular file");
    expect_refused("/dev/zero", 100, "/dev/zero: is a device, expected a regular file");
    expect_refused("/", 100, "/: is a directory, expected a regular file");
    expect_refused("/nowhere", 100, "/nowhere: no such file or directory");
    temp_clean();
}
