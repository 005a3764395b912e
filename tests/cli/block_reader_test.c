#include "block_reader.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "paths.h"
#include "test.h"

/* The linker's name of pread where file offsets have 64 bits on a 32-bit machine. */
#if UINTPTR_MAX == UINT32_MAX
#define REAL_PREAD __real_pread64
#define WRAP_PREAD __wrap_pread64
#else
#define REAL_PREAD __real_pread
#define WRAP_PREAD __wrap_pread
#endif

enum { NO_LIMIT = 0 };

/* How the next calls of pread behave: the first n_interrupted are interrupted, then one fails, and none reads more
 * than `limit` bytes. */
static struct {
    int n_interrupted, fails_with;
    size_t limit;
    int n_calls;
} reads;

ssize_t REAL_PREAD(int fd, void *to, size_t bytes, off_t offset);
ssize_t WRAP_PREAD(int fd, void *to, size_t bytes, off_t offset);

ssize_t WRAP_PREAD(int fd, void *to, size_t bytes, off_t offset)
{
    reads.n_calls++;
    errno = reads.n_interrupted > 0 ? EINTR : reads.fails_with;
    if (reads.n_interrupted > 0)
        reads.n_interrupted--;
    if (errno)
        return -1;
    return REAL_PREAD(fd, to, reads.limit && bytes > reads.limit ? reads.limit : bytes, offset);
}

static block_reader open_digits(void)
{
    block_reader r;
    ifn_error err = {0};
    write_file(temp_path("digits"), "0123456789", 10);
    assert_ok(block_reader_open(&r, temp_path("digits"), &err), err);
    return r;
}

TEST(a_piece_that_comes_bit_by_bit_is_read_to_its_end)
{
    block_reader r = open_digits();
    ifn_error err = {0};
    reads.limit = 3;
    reads.n_calls = 0;
    assert_ok(block_reader_read(&r, 1, 8, &err), err);
    assert_memory_equal(r.data, "12345678", 8);
    assert_int_equal(reads.n_calls, 3);
    assert_int_equal(block_reader_read(&r, 5, 8, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "found its end at byte 10, expected 3 more bytes"));
    reads.limit = NO_LIMIT;
    block_reader_close(&r);
}

TEST(a_read_that_is_interrupted_goes_on)
{
    block_reader r = open_digits();
    ifn_error err = {0};
    reads.limit = 4;
    reads.n_interrupted = 2;
    reads.n_calls = 0;
    assert_ok(block_reader_read(&r, 2, 8, &err), err);
    assert_memory_equal(r.data, "23456789", 8);
    assert_int_equal(reads.n_calls, 4);
    reads.limit = NO_LIMIT;
    block_reader_close(&r);
}

TEST(a_read_that_fails_says_why)
{
    block_reader r = open_digits();
    ifn_error err = {0};
    reads.fails_with = EIO;
    assert_int_equal(block_reader_read(&r, 0, 4, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, ": input or output error"));
    reads.fails_with = 0;
    block_reader_close(&r);
}

TEST(pieces_are_read_from_anywhere)
{
    block_reader r;
    ifn_error err = {0};
    write_file(temp_path("pieces"), "0123456789", 10);
    assert_ok(block_reader_open(&r, temp_path("pieces"), &err), err);
    assert_ok(block_reader_read(&r, 7, 3, &err), err);
    assert_memory_equal(r.data, "789", 3);
    assert_ok(block_reader_read(&r, 0, 10, &err), err);
    assert_memory_equal(r.data, "0123456789", 10);
    assert_ok(block_reader_read(&r, 4, 1, &err), err);
    assert_memory_equal(r.data, "4", 1);
    block_reader_close(&r);
}

TEST(the_end_of_the_file_is_an_error_that_says_where)
{
    block_reader r;
    ifn_error err = {0};
    write_file(temp_path("short"), "0123456789", 10);
    assert_ok(block_reader_open(&r, temp_path("short"), &err), err);
    assert_int_equal(block_reader_read(&r, 8, 5, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "found its end at byte 10, expected 3 more bytes"));
    block_reader_close(&r);
}

TEST(a_missing_file_is_an_error)
{
    block_reader r;
    ifn_error err = {0};
    assert_int_equal(block_reader_open(&r, temp_path("none"), &err), IFN_ERR_IO);
    block_reader_close(&r);
}
