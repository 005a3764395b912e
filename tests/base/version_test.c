#include <inferno/version.h>

#include <stdio.h>

#include "test.h"

static void the_text_is_the_three_numbers(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", IFN_VERSION_MAJOR, IFN_VERSION_MINOR,
             IFN_VERSION_PATCH);
    assert_string_equal(ifn_version(), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(the_text_is_the_three_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
