#include "file_map.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "test.h"

static void a_file_is_mapped_whole(void **state)
{
    (void)state;
    const char *path = temp_path("file");
    write_file(path, "hello", 5);
    ifn_file_map map;
    ifn_error err;
    assert_ok(ifn_file_map_open(path, &map, &err), err);
    assert_int_equal(map.bytes, 5);
    assert_memory_equal(map.data, "hello", 5);
    ifn_file_map_close(&map);
    assert_null(map.data);
    ifn_file_map_close(&map);
}

static void an_empty_file_has_no_data(void **state)
{
    (void)state;
    const char *path = temp_path("empty");
    write_file(path, "", 0);
    ifn_file_map map;
    assert_int_equal(ifn_file_map_open(path, &map, NULL), IFN_OK);
    assert_null(map.data);
    assert_int_equal(map.bytes, 0);
    ifn_file_map_close(&map);
}

static void assert_refused(const char *path, const char *why)
{
    ifn_file_map map;
    ifn_error err;
    assert_int_equal(ifn_file_map_open(path, &map, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, path));
    assert_that(strstr(err.text, why), "'%s' does not say '%s'", err.text, why);
    assert_null(map.data);
}

static void what_is_no_readable_file_is_refused_by_name(void **state)
{
    (void)state;
    assert_refused(temp_path("missing"), "no such file");
    assert_refused("/", "is a directory");
    assert_refused("/dev/null", "not a regular file");
    const char *fifo = temp_path("fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_refused(fifo, "not a regular file");
    const char *file = temp_path("plain");
    write_file(file, "x", 1);
    char below[1200];
    strcpy(below, file);
    strcat(below, "/x");
    assert_refused(below, "not a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_file_is_mapped_whole),
        RUN(an_empty_file_has_no_data),
        RUN(what_is_no_readable_file_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
