#define _DEFAULT_SOURCE /* mincore */
#include "file_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
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

/* A backend may declare that it reads past a tensor, and the last tensor of a file may end with a page. */
TEST(what_follows_a_file_can_be_read)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const char *path = temp_path("file");
    for (size_t bytes = 2 * page - 1; bytes <= 2 * page + 1; bytes++) {
        char *const content = malloc(bytes);
        memset(content, 7, bytes);
        write_file(path, content, bytes);
        free(content);
        ifn_file_map map;
        ifn_error err;
        assert_ok(ifn_file_map_open(path, &map, &err), err);
        assert_int_equal(map.bytes, bytes);
        for (size_t i = bytes; i < bytes + IFN_FILE_MAP_MORE; i++)
            assert_int_equal(((const volatile char *)map.data)[i], 0);
        ifn_file_map_close(&map);
    }
}

/* Returns whether the page is mapped. */
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
    if (geteuid() != 0) { /* root is refused nothing */
        assert_int_equal(chmod(file, 0), 0);
        assert_refused(file, "permission denied");
    }
}

/* Returns how many bytes of this process are in memory. */
static int64_t taken(void)
{
    long long pages = 0;
    FILE *const f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%*d %lld", &pages), 1);
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

static int64_t sum_of(const unsigned char *p, size_t n)
{
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

TEST(what_is_dropped_takes_no_memory_until_it_is_read_again)
{
    enum { BYTES = 32 << 20, SPARE = 4 << 20 };
    const char *path = temp_path("large");
    unsigned char *const bytes = malloc(BYTES);
    assert_non_null(bytes);
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 4096);
    write_file(path, bytes, BYTES);
    const int64_t sum = sum_of(bytes, BYTES);
    free(bytes);
    ifn_file_map map;
    assert_int_equal(ifn_file_map_open(path, &map, NULL), IFN_OK);
    const unsigned char *const data = map.data;
    assert_int_equal(sum_of(data, BYTES), sum);
    const int64_t before = taken();
    ifn_file_map_drop(&map, data + 100, BYTES - 200);
    assert_in_range(before - taken(), BYTES - SPARE, BYTES + SPARE);
    assert_int_equal(sum_of(data, BYTES), sum);
    ifn_file_map_close(&map);
}

TEST(what_came_in_around_a_few_bytes_goes_with_them)
{
    enum { BYTES = 32 << 20, STEP = 1 << 20, FEW = 100, SPARE = 512 << 10 };
    const char *path = temp_path("large");
    unsigned char *const bytes = calloc(BYTES, 1);
    assert_non_null(bytes);
    write_file(path, bytes, BYTES); /* at once: kept in large pages where a system has such */
    free(bytes);
    ifn_file_map map;
    assert_int_equal(ifn_file_map_open(path, &map, NULL), IFN_OK);
    const unsigned char *const data = map.data;
    const int64_t before = taken();
    for (size_t i = FEW; i < BYTES; i += STEP) {
        assert_int_equal(sum_of(data + i, FEW), 0);
        ifn_file_map_drop(&map, data + i, FEW);
    }
    assert_in_range(taken() - before + SPARE, 0, 2 * SPARE);
    ifn_file_map_close(&map);
}

TEST(what_is_not_of_the_map_stays)
{
    static unsigned char own[1 << 16];
    const char *path = temp_path("file");
    memset(own, 5, sizeof own);
    write_file(path, own, sizeof own);
    ifn_file_map map;
    assert_int_equal(ifn_file_map_open(path, &map, NULL), IFN_OK);
    ifn_file_map_drop(&map, own, sizeof own);
    ifn_file_map_drop(&map, map.data, sizeof own + 1);
    ifn_file_map_drop(&map, map.data, 0);
    ifn_file_map_drop(&(ifn_file_map){.data = NULL}, own, sizeof own);
    assert_int_equal(sum_of(own, sizeof own), 5 * sizeof own);
    assert_int_equal(sum_of(map.data, sizeof own), 5 * sizeof own);
    ifn_file_map_close(&map);
}

TEST(another_content_has_another_stamp)
{
    const char *path = temp_path("file");
    ifn_file_map old, same, new;
    write_file(path, "hello", 5);
    assert_int_equal(ifn_file_map_open(path, &old, NULL), IFN_OK);
    assert_int_equal(ifn_file_map_open(path, &same, NULL), IFN_OK);
    assert_true(ifn_file_stamp_equal(&old.stamp, &same.stamp));
    assert_int_equal(old.stamp.bytes, 5);
    struct timespec wait = {.tv_nsec = 60 * 1000 * 1000}; /* more than a tick of the file clock */
    assert_int_equal(nanosleep(&wait, NULL), 0);
    write_file(path, "hallo", 5);
    assert_int_equal(ifn_file_map_open(path, &new, NULL), IFN_OK);
    assert_false(ifn_file_stamp_equal(&old.stamp, &new.stamp));
    ifn_file_map_close(&old);
    ifn_file_map_close(&same);
    ifn_file_map_close(&new);
}

TEST(a_stamp_is_settled_when_the_clock_has_gone_on)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
    const int64_t second = 1000000000, at = (int64_t)now.tv_sec * second + now.tv_nsec;
    ifn_file_stamp stamp = {.changed = at | 1};
    assert_false(ifn_file_stamp_is_settled(&stamp));
    stamp.changed = (at - second) | 1;
    assert_true(ifn_file_stamp_is_settled(&stamp));
    stamp.changed = (at - second) / second * second; /* a clock that counts whole seconds */
    assert_false(ifn_file_stamp_is_settled(&stamp));
    stamp.changed = (at - 4 * second) / second * second;
    assert_true(ifn_file_stamp_is_settled(&stamp));
    stamp.changed = 0; /* unknown */
    assert_false(ifn_file_stamp_is_settled(&stamp));
}

TEST(only_what_is_missing_is_not_there)
{
    const char *path = temp_path("file");
    write_file(path, "", 0);
    assert_true(ifn_file_is_there(path));
    assert_true(ifn_file_is_there("/"));
    assert_int_equal(unlink(path), 0);
    assert_false(ifn_file_is_there(path));
}
