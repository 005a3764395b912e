#include "stop_words.h"

#include <string.h>

#include "test.h"

static const arg_list words = {.items = {"</s>", "\n\n", "stop", "a long one", "long"}, .n = 5};

static void assert_finds(const char *text, int is_found, size_t end)
{
    size_t found = 99;
    assert_int_equal(stop_words_find(&words, text, strlen(text), &found), is_found);
    assert_int_equal(found, end);
}

TEST(a_word_is_found_where_it_begins)
{
    assert_finds("stop", 1, 0);
    assert_finds("go </s> on", 1, 3);
    assert_finds("b\n\nb", 1, 1);
    assert_finds("sstop", 1, 1);
    assert_finds("stostop", 1, 3);
}

TEST(the_first_in_the_text_wins)
{
    assert_finds("b\n\nstop", 1, 1);
    assert_finds("stop\n\n", 1, 0);
}

TEST(a_word_inside_another_that_has_begun_is_found)
{
    assert_finds("a long", 1, 2);
}

TEST(what_may_begin_a_word_is_held_back)
{
    assert_finds("go on <", 0, 6);
    assert_finds("go on </s", 0, 6);
    assert_finds("line\n", 0, 4);
    assert_finds("sto", 0, 0);
}

TEST(the_rest_is_safe)
{
    assert_finds("", 0, 0);
    assert_finds("go on", 0, 5);
    assert_finds("b <b stow", 0, 9);
}

TEST(no_words_hold_nothing_back)
{
    const arg_list none = {.n = 0};
    size_t end;
    assert_int_equal(stop_words_find(&none, "stop", 4, &end), 0);
    assert_int_equal(end, 4);
}
