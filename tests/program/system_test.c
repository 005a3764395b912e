#include "system.h"

#include <string.h>
#include <sys/utsname.h>

#include "test.h"

enum { BYTES = 160 };

static void the_system_is_named_as_uname_does(void **state)
{
    (void)state;
    char text[BYTES];
    struct utsname u;
    assert_int_equal(uname(&u), 0);
    system_name(text, sizeof text);
    assert_int_equal(strncmp(text, u.sysname, strlen(u.sysname)), 0);
    assert_non_null(strstr(text, u.machine));
}

static void the_processor_is_one_line_that_fits(void **state)
{
    (void)state;
    char text[BYTES], few[8];
    system_cpu(text, sizeof text);
    assert_true(*text && !strpbrk(text, "\n:\t"));
    system_cpu(few, sizeof few);
    assert_int_equal(strncmp(few, text, sizeof few - 1), 0);
    assert_true(strlen(few) < sizeof few);
}

static void the_date_has_the_form_of_iso_8601(void **state)
{
    (void)state;
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    char text[BYTES];
    system_date(text, sizeof text);
    assert_int_equal(strlen(text), sizeof form - 1);
    for (size_t i = 0; form[i]; i++)
        assert_true(form[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_system_is_named_as_uname_does),
        RUN(the_processor_is_one_line_that_fits),
        RUN(the_date_has_the_form_of_iso_8601),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
