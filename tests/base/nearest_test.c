#include <inferno/nearest.h>

#include <string.h>

#include "test.h"

static const char *nearest(const char *word)
{
    static const char *const names[] = {"generate", "tokenize",  "scalar",  "simd",
                                        "parallel", "--threads", "--top-k", "Q4_K",
                                        "Q4_0",     "rms_norm",  "rm",      "-n"};
    ifn_nearest near = {.word = word};
    for (size_t i = 0; i < N_OF(names); i++)
        ifn_nearest_offer(&near, names[i]);
    return near.name ? near.name : "none";
}

TEST(one_letter_too_many_too_few_wrong_or_swapped_is_near)
{
    assert_string_equal(nearest("generrate"), "generate");
    assert_string_equal(nearest("genrate"), "generate");
    assert_string_equal(nearest("generete"), "generate");
    assert_string_equal(nearest("smid"), "simd");
    assert_string_equal(nearest("--threds"), "--threads");
    assert_string_equal(nearest("--thread=8"), "--threads");
    assert_string_equal(nearest("Q4K"), "Q4_K");
    assert_string_equal(nearest("rmsnorm"), "rms_norm");
}

TEST(upper_and_lower_case_are_alike)
{
    assert_string_equal(nearest("SIMD"), "simd");
    assert_string_equal(nearest("q4_k"), "Q4_K");
}

TEST(the_beginning_of_a_name_is_near_if_it_has_letters)
{
    assert_string_equal(nearest("gen"), "generate");
    assert_string_equal(nearest("--th"), "--threads");
    assert_string_equal(nearest("--t"), "none");
    assert_string_equal(nearest("--"), "none");
    assert_string_equal(nearest("g"), "none");
}

TEST(what_has_little_in_common_is_not_near)
{
    assert_string_equal(nearest("bake"), "none");
    assert_string_equal(nearest(""), "none");
    assert_string_equal(nearest("-x"), "none");
    assert_string_equal(nearest("multiply"), "none");
}

TEST(the_nearest_wins_and_the_first_of_equals)
{
    assert_string_equal(nearest("Q4_0"), "Q4_0");
    assert_string_equal(nearest("Q4_1"), "Q4_K");
    assert_string_equal(nearest("rms"), "rms_norm");
}

TEST(long_words_are_near_nothing)
{
    char word[200];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    ifn_nearest near = {.word = word};
    ifn_nearest_offer(&near, word);
    assert_null(near.name);
}

TEST(the_hint_is_a_question_or_nothing)
{
    char out[IFN_NEAREST_ROOM];
    ifn_nearest near = {.word = "smid"};
    assert_string_equal(ifn_nearest_hint(&near, out), "");
    ifn_nearest_offer(&near, "simd");
    assert_string_equal(ifn_nearest_hint(&near, out), ", did you mean 'simd'?");
}
