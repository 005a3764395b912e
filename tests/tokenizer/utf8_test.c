#include "utf8.h"

#include <string.h>

#include "test.h"

static size_t char_of(const char *text)
{
    return ifn_utf8_char((const uint8_t *)text, strlen(text));
}

static size_t unfinished(const char *text)
{
    return ifn_utf8_unfinished((const uint8_t *)text, strlen(text));
}

TEST(a_character_is_as_long_as_its_lead_says)
{
    assert_int_equal(char_of("a\xff"), 1);
    assert_int_equal(char_of("\xc2\x80z"), 2);
    assert_int_equal(char_of("\xdf\xbf"), 2);
    assert_int_equal(char_of("\xe0\xa0\x80"), 3);
    assert_int_equal(char_of("\xed\x9f\xbf"), 3);
    assert_int_equal(char_of("\xee\x80\x80"), 3);
    assert_int_equal(char_of("\xf0\x90\x80\x80"), 4);
    assert_int_equal(char_of("\xf4\x8f\xbf\xbf"), 4);
    assert_int_equal(ifn_utf8_char((const uint8_t *)"\0", 1), 1);
    assert_int_equal(ifn_utf8_char((const uint8_t *)"", 0), 0);
}

TEST(what_is_not_well_formed_is_no_character)
{
    static const char *const wrong[] = {
        "\x80",             /* a continuation */
        "\xbf",             /* the last continuation */
        "\xc0\x80",         /* overlong */
        "\xc1\xbf",         /* overlong */
        "\xe0\x9f\xbf",     /* overlong */
        "\xf0\x8f\xbf\xbf", /* overlong */
        "\xed\xa0\x80",     /* a surrogate */
        "\xf4\x90\x80\x80", /* past U+10FFFF */
        "\xf5\x80\x80\x80",
        "\xff",
        "\xc2",
        "\xe2\x82",
        "\xf0\x9f\x98",
        "\xc2\x20",         /* no continuation */
        "\xe2\x82\x20",     /* no continuation */
        "\xf0\x9f\x98\x20", /* no continuation */
    };
    for (size_t i = 0; i < N_OF(wrong); i++)
        assert_that(char_of(wrong[i]) == 0, "case %zu", i);
}

TEST(only_a_hopeful_tail_is_unfinished)
{
    assert_int_equal(unfinished(""), 0);
    assert_int_equal(unfinished("a"), 0);
    assert_int_equal(unfinished("a\xc3"), 1);
    assert_int_equal(unfinished("a\xc3\xa9"), 0);
    assert_int_equal(unfinished("\xe2\x82"), 2);
    assert_int_equal(unfinished("\xe2\x82\xac"), 0);
    assert_int_equal(unfinished("x\xf0\x9f\x98"), 3);
    assert_int_equal(unfinished("\xf0\x9f\x98\x80"), 0);
    assert_int_equal(unfinished("\xff"), 0);
    assert_int_equal(unfinished("\xa9"), 0);
    assert_int_equal(unfinished("\xed\xa0"), 0);     /* would be a surrogate */
    assert_int_equal(unfinished("\xe0\x80"), 0);     /* would be overlong */
    assert_int_equal(unfinished("\xf4\x90"), 0);     /* would be past U+10FFFF */
    assert_int_equal(unfinished("\xc3\xa9\xa9"), 0); /* the lead is served already */
    assert_int_equal(unfinished("\x80\x80\x80\x80"), 0);
}
