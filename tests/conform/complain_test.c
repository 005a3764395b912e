#include "complain.h"

#include "messages.h"
#include "test.h"

static int status_of(ifn_status status, int is_writing)
{
    const ifn_error err = {.status = status, .text = "shown on purpose"};
    return conform_complain("conform", &err, is_writing);
}

TEST(a_malformed_file_is_a_no)
{
    assert_int_equal(status_of(IFN_ERR_FORMAT, 0), EXIT_NO);
    assert_int_equal(status_of(IFN_ERR_IO, 0), EXIT_USAGE);
    assert_int_equal(status_of(IFN_ERR_ARGUMENT, 0), EXIT_USAGE);
}

/* As in every other command, a lack of memory does not count as a wrong command line. */
TEST(so_is_a_want_of_memory)
{
    assert_int_equal(status_of(IFN_ERR_NOMEM, 0), EXIT_NO);
}

TEST(so_is_a_result_that_cannot_be_written)
{
    assert_int_equal(status_of(IFN_ERR_IO, 1), EXIT_NO);
    assert_int_equal(status_of(IFN_ERR_NOMEM, 1), EXIT_NO);
    assert_int_equal(status_of(IFN_ERR_ARGUMENT, 1), EXIT_USAGE);
}
