#include "text.h"

#include <string.h>

#include "paths.h"
#include "test.h"

TEST(bytes_are_appended_and_terminated)
{
    text t = {0};
    ifn_error err = {0};
    char expected[3000];
    for (size_t i = 0; i < 1000; i++) {
        memcpy(expected + 3 * i, "a\0b", 3);
        assert_ok(text_append(&t, "a\0b", 3, &err), err);
    }
    assert_int_equal(t.bytes, sizeof expected);
    assert_memory_equal(t.data, expected, sizeof expected);
    assert_int_equal(t.data[t.bytes], 0);
    text_free(&t);
    assert_null(t.data);
}

TEST(an_empty_append_makes_an_empty_text)
{
    text t = {0};
    ifn_error err = {0};
    assert_ok(text_append(&t, NULL, 0, &err), err);
    assert_int_equal(t.bytes, 0);
    assert_string_equal(t.data, "");
    text_free(&t);
}

TEST(a_file_is_read_byte_for_byte)
{
    text t = {0};
    ifn_error err = {0};
    char bytes[40000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 7);
    write_file(temp_path("bytes"), bytes, sizeof bytes);
    assert_ok(text_read(&t, temp_path("bytes"), &err), err);
    assert_int_equal(t.bytes, sizeof bytes);
    assert_memory_equal(t.data, bytes, sizeof bytes);
    text_free(&t);
}

TEST(a_missing_file_and_a_folder_are_errors)
{
    text t = {0};
    ifn_error err = {0};
    assert_int_equal(text_read(&t, temp_path("missing"), &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "missing: no such file or directory"));
    assert_int_equal(text_read(&t, temp_path(""), &err), IFN_ERR_IO);
    assert_non_null(strstr(err.text, "is a directory"));
    text_free(&t);
}
