#include "complain.h"

#include "messages.h"
#include "test.h"

static int status_of(ifn_status status, int is_writing)
{
    const ifn_error err = {.status = status, .text = "shown on purpose"};
    return conform_complain("conform", &err, is_writing);
}

static void a_malformed_file_is_a_no(void **state)
{
    (void)state;
    assert_int_equal(status_of(IFN_ERR_FORMAT, 0), EXIT_NO);
    assert_int_equal(status_of(IFN_ERR_IO, 0), EXIT_USAGE);
    assert_int_equal(status_of(IFN_ERR_ARGUMENT, 0), EXIT_USAGE);
}

/* As in every other command: the words of the command line are not to blame. */
static void so_is_a_want_of_memory(void **state)
{
    (void)state;
    assert_int_equal(status_of(IFN_ERR_NOMEM, 0), EXIT_NO);
}

static void so_is_a_result_that_cannot_be_written(void **state)
{
    (void)state;
    assert_int_equal(status_of(IFN_ERR_IO, 1), EXIT_NO);
    assert_int_equal(status_of(IFN_ERR_NOMEM, 1), EXIT_NO);
    assert_int_equal(status_of(IFN_ERR_ARGUMENT, 1), EXIT_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_malformed_file_is_a_no),
        RUN(so_is_a_want_of_memory),
        RUN(so_is_a_result_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
