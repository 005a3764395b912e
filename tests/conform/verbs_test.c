#include "verbs.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"
#include "test.h"

static const char *const names[] = {"merge", "level", "export", "judge", "debug", "diff"};

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

TEST(other_words_name_none)
{
    char command[] = "conform", word[] = "marge";
    assert_int_equal(conform_verb_main(2, (char *[]){command, word}), -1);
    assert_int_equal(conform_verb_main(1, (char *[]){command}), -1);
}
