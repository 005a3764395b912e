#define _DEFAULT_SOURCE /* mincore */
#include "file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "test.h"

TEST(a_file_is_mapped_whole)
{
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

/* Whether the system knows a page there. */
static int is_mapped(const void *page)
{
    unsigned char in_memory;
    const int status = mincore((void *)(uintptr_t)page, 1, &in_memory);
    assert_true(status == 0 || errno == ENOMEM);
    return status == 0;
}

TEST(closing_gives_the_memory_back)
{
    const char *path = temp_path("file");
    write_file(path, "hello", 5);
    ifn_file_map map;
    assert_int_equal(ifn_file_map_open(path, &map, NULL), IFN_OK);
    const void *const page = map.data;
    assert_true(is_mapped(page));
    ifn_file_map_close(&map);
    assert_false(is_mapped(page));
}

TEST(a_map_needs_no_open_file)
{
    const char *path = temp_path("file");
    write_file(path, "hello", 5);
    ifn_file_map map;
    const int lowest_free = open(path, O_RDONLY);
    assert_int_equal(close(lowest_free), 0);
    assert_int_equal(ifn_file_map_open(path, &map, NULL), IFN_OK);
    const int still = open(path, O_RDONLY);
    assert_int_equal(still, lowest_free);
    close(still);
    ifn_file_map_close(&map);
}

TEST(an_empty_file_has_no_data)
{
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

TEST(what_is_no_readable_file_is_refused_by_name)
{
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
    char long_name[1200];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    ifn_error err;
    ifn_file_map map;
    assert_int_equal(ifn_file_map_open(long_name, &map, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "xxx"));
}

TEST(what_the_system_refuses_has_a_reason)
{
    const char *file = temp_path("plain"), *loop = temp_path("loop");
    write_file(file, "x", 1);
    assert_int_equal(symlink(loop, loop), 0);
    assert_refused(loop, "too many links");
    const int lowest_free = open(file, O_RDONLY);
    close(lowest_free);
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = (rlim_t)lowest_free;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    assert_refused(file, "too many open files");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    none = before;
    none.rlim_cur = 1;
    ifn_file_map map;
    ifn_error err;
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    const ifn_status status = ifn_file_map_open(file, &map, &err);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(status, IFN_ERR_NOMEM);
    assert_non_null(strstr(err.text, "plain: out of memory"));
    if (geteuid() != 0) { /* who may do everything is refused nothing */
        assert_int_equal(chmod(file, 0), 0);
        assert_refused(file, "permission denied");
    }
}
