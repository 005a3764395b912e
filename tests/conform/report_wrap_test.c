#include "report_wrap.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static void expect_wrapped(const char *text, const char *expected)
{
    char *out = NULL;
    size_t bytes;
    FILE *const to = open_memstream(&out, &bytes);
    assert_non_null(to);
    conform_put_wrapped(text, to);
    fclose(to);
    assert_string_equal(out, expected);
    free(out);
}

#define SIXTY "123456789 123456789 123456789 123456789 123456789 123456789 "

TEST(what_fits_stays_as_it_is)
{
    expect_wrapped("", "");
    expect_wrapped("a\n\n  b  c\n", "a\n\n  b  c\n");
    expect_wrapped(SIXTY "123456789 1234567890", SIXTY "123456789 1234567890");
}

TEST(lines_break_at_the_last_blank_before_column_80)
{
    expect_wrapped(SIXTY "123456789 1234567890x more\n", SIXTY "123456789\n  1234567890x more\n");
    expect_wrapped("  what:     " SIXTY "one two three\n",
                   "  what:     " SIXTY "one two\n            three\n");
}

TEST(words_longer_than_a_line_ids_and_commands_stay_whole)
{
    char word[130];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    expect_wrapped(word, word);
    expect_wrapped("  again:    " SIXTY SIXTY "\n", "  again:    " SIXTY SIXTY "\n");
    expect_wrapped("  found:    " SIXTY SIXTY "\n", "  found:    " SIXTY SIXTY "\n");
    expect_wrapped("2 cases: NOT conformant, of " SIXTY SIXTY "\n",
                   "2 cases: NOT conformant, of " SIXTY SIXTY "\n");
}

TEST(colours_and_bytes_of_one_character_have_no_width)
{
    expect_wrapped("\033[31m" SIXTY "123456789 1234567890\033[0m",
                   "\033[31m" SIXTY "123456789 1234567890\033[0m");
    expect_wrapped("\303\244" SIXTY "12345678 1234567890\n",
                   "\303\244" SIXTY "12345678 1234567890\n");
}
