#include <inferno/text.h>

#include <string.h>

#include "test.h"

static void assert_next(const char *data, size_t bytes, size_t length, uint32_t code, int valid)
{
    uint32_t found;
    int found_valid;
    assert_int_equal(ifn_utf8_next(data, bytes, &found, &found_valid), length);
    assert_int_equal(found, code);
    assert_int_equal(found_valid, valid);
}

TEST(characters_of_every_length_are_decoded)
{
    assert_next("A", 1, 1, 'A', 1);
    assert_next("\0", 1, 1, 0, 1);
    assert_next("\xc3\xa9x", 3, 2, 0xe9, 1);
    assert_next("\xe2\x82\xac", 3, 3, 0x20ac, 1);
    assert_next("\xf0\x9f\x94\xa5", 4, 4, 0x1f525, 1);
    assert_next("\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff, 1);
    assert_next("\xef\xbf\xbd", 3, 3, IFN_UTF8_REPLACEMENT, 1);
}

TEST(what_is_no_character_is_replaced)
{
    assert_next("\x80", 1, 1, IFN_UTF8_REPLACEMENT, 0);
    assert_next("\xff", 1, 1, IFN_UTF8_REPLACEMENT, 0);
    assert_next("\xc0\xaf", 2, 1, IFN_UTF8_REPLACEMENT, 0);         /* overlong */
    assert_next("\xe0\x9f\xbf", 3, 1, IFN_UTF8_REPLACEMENT, 0);     /* overlong */
    assert_next("\xed\xa0\x80", 3, 1, IFN_UTF8_REPLACEMENT, 0);     /* a surrogate */
    assert_next("\xf4\x90\x80\x80", 4, 1, IFN_UTF8_REPLACEMENT, 0); /* above U+10FFFF */
}

TEST(the_start_of_a_character_is_replaced_as_one)
{
    assert_next("\xf0\x9f\x94", 3, 3, IFN_UTF8_REPLACEMENT, 0);
    assert_next("\xe2\x82\x41", 3, 2, IFN_UTF8_REPLACEMENT, 0);
    assert_next("\xc3", 1, 1, IFN_UTF8_REPLACEMENT, 0);
}

static void assert_printable(const char *data, size_t bytes, const char *expected)
{
    char out[100];
    assert_int_equal(ifn_text_printable(data, bytes, out, sizeof out), strlen(expected));
    assert_string_equal(out, expected);
}

TEST(what_drives_a_terminal_or_misleads_a_reader_is_escaped)
{
    assert_printable("a\x1b[31m\n", 7, "a\\x1b[31m\\x0a");
    assert_printable("\0\x7f\xc2\x9b", 4, "\\x00\\x7f\\xc2\\x9b");
    assert_printable("\xff\xe2\x82", 3, "\\xff\\xe2\\x82");
    assert_printable("\xe2\x96\x81it \\ \"", 9, "\xe2\x96\x81it \\ \"");
    assert_printable("\xe2\x80\xae", 3, "\\xe2\\x80\\xae"); /* right to left from here */
    assert_printable("\xe2\x81\xa6", 3, "\\xe2\\x81\\xa6"); /* a direction of its own begins */
    assert_printable("\xef\xbb\xbf", 3, "\\xef\\xbb\\xbf"); /* byte order mark */
    assert_printable("\xe2\x80\x8d", 3, "\xe2\x80\x8d");    /* joins emoji */
    assert_printable("", 0, "");
}

TEST(what_does_not_fit_is_cut_between_pieces)
{
    char out[6];
    assert_int_equal(ifn_text_printable("ab\x1b"
                                        "c",
                                        4, out, sizeof out),
                     7);
    assert_string_equal(out, "ab");
    assert_int_equal(ifn_text_printable("abc\xc3\xa9", 5, out, sizeof out), 5);
    assert_string_equal(out, "abc\xc3\xa9");
    assert_int_equal(ifn_text_printable("abcd\xc3\xa9", 6, out, sizeof out), 6);
    assert_string_equal(out, "abcd");
    assert_int_equal(ifn_text_printable("a", 1, out, 1), 1);
    assert_string_equal(out, "");
}
