#include "escape.h"

#include <string.h>

#include "memory_file.h"
#include "test.h"

typedef void (*escaper)(FILE *out, const char *data, size_t bytes);

static void assert_escaped(escaper escape, const char *data, size_t bytes, const char *expected)
{
    memory_file f;
    memory_file_open(&f);
    escape(f.file, data, bytes);
    memory_file_close(&f);
    assert_int_equal(f.bytes, strlen(expected));
    assert_memory_equal(f.data, expected, f.bytes);
    free(f.data);
}

TEST(c_escapes_quotes_backslashes_and_white_space_only)
{
    assert_escaped(escape_c, "a\"b\\\n\t\r", 7, "a\\\"b\\\\\\n\\t\\r");
    assert_escaped(escape_c, "\x1b\xff\xc3\xa9", 4, "\x1b\xff\xc3\xa9");
}

TEST(nothing_can_reach_a_terminal_but_text)
{
    assert_escaped(escape_terminal, "a\x1b[31m\n", 7, "a\\x1b[31m\\n");
    assert_escaped(escape_terminal, "\0\x7f\xc2\x9b", 4, "\\x00\\x7f\\xc2\\x9b");
    assert_escaped(escape_terminal, "\xff\xe2\x82", 3, "\\xff\\xe2\\x82");
    assert_escaped(escape_terminal, "\xe2\x96\x81it", 5, "\xe2\x96\x81it");
}
