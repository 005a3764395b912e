#include "report.h"

#include <errno.h>

#include "test.h"

static void inputs_and_usage_are_two_and_everything_else_is_one(void **state)
{
    (void)state;
    static const struct {
        ifn_status status;
        int expected;
    } cases[] = {
        {IFN_ERR_IO, EXIT_USAGE},       {IFN_ERR_ARGUMENT, EXIT_USAGE}, {IFN_ERR_FORMAT, EXIT_NO},
        {IFN_ERR_UNSUPPORTED, EXIT_NO}, {IFN_ERR_SHAPE, EXIT_NO},       {IFN_ERR_NOMEM, EXIT_NO},
    };
    for (size_t i = 0; i < N_OF(cases); i++) {
        ifn_error err;
        ifn_fail(&err, cases[i].status, "a test of exit statuses");
        assert_int_equal(report_error("report_test", &err), cases[i].expected);
        assert_int_equal(report_unwritten("report_test", &err), EXIT_NO);
    }
}

static void reasons_are_for_people(void **state)
{
    (void)state;
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
        {ENOMEM, "out of memory"},
        {-1, "input or output error"},
    };
    for (size_t i = 0; i < N_OF(rows); i++)
        assert_string_equal(errno_reason(rows[i].code), rows[i].reason);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(inputs_and_usage_are_two_and_everything_else_is_one),
        RUN(reasons_are_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
