#include "messages.h"

#include "test.h"

TEST(inputs_and_usage_are_two_and_everything_else_is_one)
{
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
        assert_int_equal(message_error("report_test", &err), cases[i].expected);
        assert_int_equal(message_unwritten("report_test", &err), EXIT_NO);
    }
}
