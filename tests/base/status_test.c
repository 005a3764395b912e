#include <inferno/status.h>

#include <string.h>

#include "test.h"

static void every_status_has_a_name_and_a_text(void **state)
{
    (void)state;
    assert_string_equal(ifn_status_name(IFN_OK), "OK");
    assert_string_equal(ifn_status_name(IFN_ERR_FORMAT), "ERR_FORMAT");
    assert_string_equal(ifn_status_text(IFN_ERR_NOMEM), "out of memory");
    assert_string_equal(ifn_status_name((ifn_status)99), "?");
    assert_string_equal(ifn_status_text((ifn_status)99), "?");
}

static void failing_fills_the_error_and_returns_the_status(void **state)
{
    (void)state;
    ifn_error err = {0};
    assert_int_equal(ifn_fail(&err, IFN_ERR_SHAPE, "rows %d, expected %d", 3, 4), IFN_ERR_SHAPE);
    assert_int_equal(err.status, IFN_ERR_SHAPE);
    assert_true(err.offset == IFN_NO_OFFSET);
    assert_string_equal(err.text, "rows 3, expected 4");
    assert_int_equal(ifn_fail_at(&err, IFN_ERR_FORMAT, 17, "bad"), IFN_ERR_FORMAT);
    assert_true(err.offset == 17);
}

static void a_null_error_is_fine(void **state)
{
    (void)state;
    assert_int_equal(ifn_fail(NULL, IFN_ERR_IO, "x"), IFN_ERR_IO);
}

static void a_long_message_is_cut_and_terminated(void **state)
{
    (void)state;
    ifn_error err;
    char many[600];
    memset(many, 'a', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    ifn_fail(&err, IFN_ERR_IO, "%s", many);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void control_characters_cannot_reach_a_terminal(void **state)
{
    (void)state;
    ifn_error err;
    ifn_fail(&err, IFN_ERR_FORMAT, "key '%s'", "a\x1b[31m\nb\x7f");
    assert_string_equal(err.text, "key 'a?[31m?b?'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_status_has_a_name_and_a_text),
        RUN(failing_fills_the_error_and_returns_the_status),
        RUN(a_null_error_is_fine),
        RUN(a_long_message_is_cut_and_terminated),
        RUN(control_characters_cannot_reach_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
