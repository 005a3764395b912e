#include "block_reader.h"

#include <string.h>

#include "paths.h"
#include "test.h"

static void pieces_are_read_from_anywhere(void **state)
{
    (void)state;
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

static void the_end_of_the_file_is_an_error_that_says_where(void **state)
{
    (void)state;
    block_reader r;
    ifn_error err = {0};
    write_file(temp_path("short"), "0123456789", 10);
    assert_ok(block_reader_open(&r, temp_path("short"), &err), err);
    assert_int_equal(block_reader_read(&r, 8, 5, &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "found its end at byte 10, expected 3 more bytes"));
    block_reader_close(&r);
}

static void a_missing_file_is_an_error(void **state)
{
    (void)state;
    block_reader r;
    ifn_error err = {0};
    assert_int_equal(block_reader_open(&r, temp_path("none"), &err), IFN_ERR_IO);
    block_reader_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(pieces_are_read_from_anywhere),
        RUN(the_end_of_the_file_is_an_error_that_says_where),
        RUN(a_missing_file_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
