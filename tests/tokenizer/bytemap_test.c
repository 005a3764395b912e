#include "bytemap.h"

#include <string.h>

#include "test.h"

/* The spellings of GPT-2's vocabulary file. */
TEST(the_map_is_the_published_one)
{
    static const struct {
        int byte;
        const char *spelling;
    } known[] = {
        {0, "\xc4\x80"},   {'\n', "\xc4\x8a"}, {' ', "\xc4\xa0"}, {'!', "!"},
        {'~', "~"},        {127, "\xc4\xa1"},  {128, "\xc4\xa2"}, {160, "\xc5\x82"},
        {161, "\xc2\xa1"}, {172, "\xc2\xac"},  {173, "\xc5\x83"}, {174, "\xc2\xae"},
        {255, "\xc3\xbf"},
    };
    for (size_t i = 0; i < N_OF(known); i++) {
        char text[2];
        const size_t n = ifn_bytemap_spell((uint8_t)known[i].byte, text);
        assert_int_equal(n, strlen(known[i].spelling));
        assert_memory_equal(text, known[i].spelling, n);
    }
}

TEST(every_byte_comes_back)
{
    for (int i = 0; i < 256; i++) {
        char text[2];
        uint8_t byte;
        const size_t n = ifn_bytemap_spell((uint8_t)i, text);
        assert_int_equal(ifn_bytemap_read(text, n, &byte), n);
        assert_int_equal(byte, i);
        assert_true(ifn_bytemap_covers((ifn_string){text, n}));
    }
}

TEST(other_characters_stand_for_no_byte)
{
    static const char *const others[] = {" ",        "\n",       "\x7f",         "\xc2\xa0",
                                         "\xc2\xad", "\xc5\x84", "\xe2\x96\x81", "\xc4",
                                         "\xc4z",    "\xff",     "\x80"};
    for (size_t i = 0; i < N_OF(others); i++) {
        const ifn_string text = {others[i], strlen(others[i])};
        uint8_t byte;
        assert_that(ifn_bytemap_read(text.data, text.bytes, &byte) == 0, "case %zu", i);
        assert_false(ifn_bytemap_covers(text));
    }
    uint8_t byte;
    assert_int_equal(ifn_bytemap_read("", 0, &byte), 0);
    assert_true(ifn_bytemap_covers((ifn_string){"", 0}));
    assert_false(ifn_bytemap_covers((ifn_string){"ab c", 4}));
}
