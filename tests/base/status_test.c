#include <inferno/status.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/text.h>

#include "test.h"

TEST(every_status_has_a_name_and_a_text)
{
    assert_string_equal(ifn_status_name(IFN_OK), "OK");
    assert_string_equal(ifn_status_name(IFN_ERR_FORMAT), "ERR_FORMAT");
    assert_string_equal(ifn_status_text(IFN_ERR_NOMEM), "out of memory");
    assert_string_equal(ifn_status_name((ifn_status)99), "?");
    assert_string_equal(ifn_status_text((ifn_status)99), "?");
}

TEST(failing_fills_the_error_and_returns_the_status)
{
    ifn_error err = {0};
    assert_int_equal(ifn_fail(&err, IFN_ERR_SHAPE, "rows %d, expected %d", 3, 4), IFN_ERR_SHAPE);
    assert_int_equal(err.status, IFN_ERR_SHAPE);
    assert_true(err.offset == IFN_NO_OFFSET);
    assert_string_equal(err.text, "rows 3, expected 4");
    assert_int_equal(ifn_fail_at(&err, IFN_ERR_FORMAT, 17, "bad"), IFN_ERR_FORMAT);
    assert_true(err.offset == 17);
}

TEST(a_null_error_is_fine)
{
    assert_int_equal(ifn_fail(NULL, IFN_ERR_IO, "x"), IFN_ERR_IO);
}

/* The message keeps the start of a long path, its end, and the reason. */
TEST(a_long_message_keeps_its_reason)
{
    static const size_t lengths[] = {200, 239, 240, 600, 5000, 100000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        static const char tail[] = "/tail.gguf: no such file";
        ifn_error err;
        char *many = malloc(lengths[i] + 1);
        memset(many, 'a', lengths[i]);
        many[lengths[i]] = '\0';
        ifn_fail(&err, IFN_ERR_IO, "/%s/tail.gguf: no such file", many);
        const size_t n = strlen(err.text);
        assert_in_range(n, 200, sizeof err.text - 1);
        assert_string_equal(err.text + n - strlen(tail), tail);
        assert_memory_equal(err.text, "/aaaa", 5);
        assert_true(lengths[i] == 200 || strstr(err.text, "a...a"));
        free(many);
    }
}

/* The cut splits neither a character nor an escape. */
TEST(a_long_message_is_cut_between_characters)
{
    for (size_t shift = 0; shift < 4; shift++) {
        ifn_error err;
        char text[4 * 300 + 8] = "";
        memset(text, 'x', shift);
        for (size_t i = 0; i < 300; i++)
            memcpy(text + shift + 4 * i, i % 2 ? "\xf0\x9f\x94\xa5" : "\x1b\xe2\x80\x99", 4);
        ifn_fail(&err, IFN_ERR_IO, "%s", text);
        for (const char *p = err.text; *p;) {
            uint32_t code;
            int valid;
            p += ifn_utf8_next(p, strlen(p), &code, &valid);
            assert_true(valid && code >= 0x20);
            if (code == '\\')
                assert_memory_equal(p, "x1b", 3);
        }
        assert_in_range(strlen(err.text), 220, sizeof err.text - 1);
    }
}

TEST(control_characters_cannot_reach_a_terminal)
{
    ifn_error err;
    ifn_fail(&err, IFN_ERR_FORMAT, "key '%s'", "a\x1b[31m\nb\x7f");
    assert_string_equal(err.text, "key 'a\\x1b[31m\\x0ab\\x7f'");
}

TEST(reasons_are_for_people)
{
    static const struct {
        int code;
        const char *reason;
    } rows[] = {
        {ENOENT, "no such file or directory"},
        {EACCES, "permission denied"},
        {EPERM, "permission denied"},
        {EISDIR, "is a directory, expected a file"},
        {ENOTDIR, "a part of the path is not a directory"},
        {ENAMETOOLONG, "the path is too long"},
        {EROFS, "the file system is read-only"},
        {ENOSPC, "no space left on the device"},
        {EFBIG, "the file grows too large"},
        {EPIPE, "nobody reads the other end of the pipe"},
        {ELOOP, "too many links, or a circle of them"},
        {EMFILE, "too many open files"},
        {EAGAIN, "no more processes or threads can be had"},
        {ENOMEM, "out of memory"},
        {-1, "input or output error"},
    };
    for (size_t i = 0; i < N_OF(rows); i++)
        assert_string_equal(ifn_errno_reason(rows[i].code), rows[i].reason);
}

TEST(a_failed_call_names_its_path_and_memory_is_no_file)
{
    ifn_error err;
    assert_int_equal(ifn_fail_errno(&err, "a/b", ENOENT), IFN_ERR_IO);
    assert_int_equal(err.status, IFN_ERR_IO);
    assert_string_equal(err.text, "a/b: no such file or directory");
    assert_int_equal(ifn_fail_errno(&err, "", ENOMEM), IFN_ERR_NOMEM);
    assert_int_equal(err.status, IFN_ERR_NOMEM);
    assert_string_equal(err.text, "(an empty path): out of memory");
    assert_int_equal(ifn_fail_errno(NULL, "a", EIO), IFN_ERR_IO);
}
