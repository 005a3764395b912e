#include "verbs.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "test.h"

static const char *const names[] = {"merge", "level", "export", "judge",
                                    "debug", "diff",  "e2e",    "museum"};

TEST(each_answers_help_wherever_it_stands)
{
    for (size_t i = 0; i < N_OF(names); i++) {
        char *out, want[64];
        snprintf(want, sizeof want, "usage: inferno conform %s ", names[i]);
        assert_int_equal(COMMAND(&out, names[i], "--help"), 0);
        assert_that(strncmp(out, want, strlen(want)) == 0, "%s", out);
        free(out);
        assert_int_equal(COMMAND(&out, names[i], "x", "--json", "y", "-h"), 0);
        assert_that(strncmp(out, want, strlen(want)) == 0, "%s", out);
        free(out);
    }
}

TEST(the_help_of_conform_lists_them)
{
    char text[8192] = "";
    FILE *const memory = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(memory);
    const manual page = conform_options_manual();
    manual_help(&page, memory);
    fclose(memory);
    for (size_t i = 0; i < N_OF(names); i++) {
        char want[64];
        snprintf(want, sizeof want, "       inferno conform %s ", names[i]);
        assert_that(strstr(text, want) != NULL, "no '%s' in: %s", want, text);
    }
}

static void expect_the_same(const char *word, const char *option, const char *first,
                            const char *second)
{
    char *one, *other;
    const int status = COMMAND(&one, word, first, second);
    assert_int_equal(COMMAND(&other, option, first, second), status);
    assert_int_equal(status, 2);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

TEST(a_word_and_its_older_option_are_the_same)
{
    expect_the_same("e2e", "--e2e", "nowhere.gguf", "--quiet");
    expect_the_same("museum", "--museum", "--fault", "no_such_fault");
}

TEST(other_words_name_none)
{
    char command[] = "conform", word[] = "marge";
    assert_int_equal(conform_verb_main(2, (char *[]){command, word}), -1);
    assert_int_equal(conform_verb_main(1, (char *[]){command}), -1);
}
