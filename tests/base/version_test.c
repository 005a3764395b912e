#include <inferno/version.h>

#include <stdio.h>

#include "test.h"

TEST(the_text_is_the_three_numbers)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", IFN_VERSION_MAJOR, IFN_VERSION_MINOR,
             IFN_VERSION_PATCH);
    assert_string_equal(ifn_version(), text);
}
