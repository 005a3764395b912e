#include "warnings.h"

#include <string.h>

#include "test.h"

TEST(a_warning_is_one_printable_line)
{
    ifn_warnings w = {0};
    ifn_warn(&w, "token %d, '%s', is odd", 3, "\x1b[31m");
    assert_int_equal(w.n, 1);
    assert_string_equal(w.lines[0].text, "token 3, '\\x1b[31m', is odd");
}

TEST(those_beyond_the_room_are_dropped_and_nobody_need_listen)
{
    ifn_warnings w = {0};
    for (int i = 0; i < 2 * IFN_MAX_WARNINGS; i++)
        ifn_warn(&w, "%d", i);
    assert_int_equal(w.n, IFN_MAX_WARNINGS);
    assert_string_equal(w.lines[1].text, "1");
    ifn_warn(NULL, "unheard");
}
