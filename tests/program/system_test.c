#include "system.h"

#include <string.h>
#include <sys/utsname.h>

#include "test.h"

enum { BYTES = 160 };

TEST(the_system_is_named_as_uname_does)
{
    char text[BYTES];
    struct utsname u;
    assert_int_equal(uname(&u), 0);
    system_name(text, sizeof text);
    assert_int_equal(strncmp(text, u.sysname, strlen(u.sysname)), 0);
    assert_non_null(strstr(text, u.machine));
}

TEST(the_processor_is_one_line_that_fits)
{
    char text[BYTES], few[8];
    system_cpu(text, sizeof text);
    assert_true(*text && !strpbrk(text, "\n:\t"));
    system_cpu(few, sizeof few);
    assert_int_equal(strncmp(few, text, sizeof few - 1), 0);
    assert_true(strlen(few) < sizeof few);
}

TEST(the_date_has_the_form_of_iso_8601)
{
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    char text[BYTES];
    system_date(text, sizeof text);
    assert_int_equal(strlen(text), sizeof form - 1);
    for (size_t i = 0; form[i]; i++)
        assert_true(form[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i]);
}
