#include "utf8_decode.h"

#include "test.h"

static void assert_next(const char *data, size_t bytes, size_t length, uint32_t code, int valid)
{
    uint32_t found;
    int found_valid;
    assert_int_equal(utf8_next(data, bytes, &found, &found_valid), length);
    assert_int_equal(found, code);
    assert_int_equal(found_valid, valid);
}

static void characters_of_every_length_are_decoded(void **state)
{
    (void)state;
    assert_next("A", 1, 1, 'A', 1);
    assert_next("\0", 1, 1, 0, 1);
    assert_next("\xc3\xa9x", 3, 2, 0xe9, 1);
    assert_next("\xe2\x82\xac", 3, 3, 0x20ac, 1);
    assert_next("\xf0\x9f\x94\xa5", 4, 4, 0x1f525, 1);
    assert_next("\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff, 1);
    assert_next("\xef\xbf\xbd", 3, 3, UTF8_REPLACEMENT, 1);
}

static void what_is_no_character_is_replaced(void **state)
{
    (void)state;
    assert_next("\x80", 1, 1, UTF8_REPLACEMENT, 0);
    assert_next("\xff", 1, 1, UTF8_REPLACEMENT, 0);
    assert_next("\xc0\xaf", 2, 1, UTF8_REPLACEMENT, 0);         /* overlong */
    assert_next("\xe0\x9f\xbf", 3, 1, UTF8_REPLACEMENT, 0);     /* overlong */
    assert_next("\xed\xa0\x80", 3, 1, UTF8_REPLACEMENT, 0);     /* a surrogate */
    assert_next("\xf4\x90\x80\x80", 4, 1, UTF8_REPLACEMENT, 0); /* above U+10FFFF */
}

static void the_start_of_a_character_is_replaced_as_one(void **state)
{
    (void)state;
    assert_next("\xf0\x9f\x94", 3, 3, UTF8_REPLACEMENT, 0);
    assert_next("\xe2\x82\x41", 3, 2, UTF8_REPLACEMENT, 0);
    assert_next("\xc3", 1, 1, UTF8_REPLACEMENT, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(characters_of_every_length_are_decoded),
        RUN(what_is_no_character_is_replaced),
        RUN(the_start_of_a_character_is_replaced_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
