#include "subcommands.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "test.h"

TEST(each_answers_help_wherever_it_stands)
{
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        char *out, want[64];
        snprintf(want, sizeof want, "usage: inferno conform %s ", conform_subcommand_words[i]);
        assert_int_equal(COMMAND(&out, conform_subcommand_words[i], "--help"), 0);
        assert_that(strncmp(out, want, strlen(want)) == 0, "%s", out);
        free(out);
        assert_int_equal(COMMAND(&out, conform_subcommand_words[i], "x", "--all", "y", "-h"), 0);
        assert_that(strncmp(out, want, strlen(want)) == 0, "%s", out);
        free(out);
    }
}

TEST(the_help_of_conform_lists_them)
{
    char text[8192] = "";
    FILE *const memory = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(memory);
    const manual page = conform_command_manual(SUBCOMMAND_COUNT);
    manual_help(&page, memory);
    fclose(memory);
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        char want[64];
        snprintf(want, sizeof want, "       inferno conform %s ", conform_subcommand_words[i]);
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

/* The help lists no option that the command would refuse. */
TEST(the_help_of_each_lists_its_own_options)
{
    static const struct {
        conform_subcommand command;
        const char *has, *lacks;
    } some[] = {{SUBCOMMAND_merge, "  --junit F", "--op"},
                {SUBCOMMAND_export, "  --dtype T", "--backend"},
                {SUBCOMMAND_judge, "  --spec PATH", "--json"},
                {SUBCOMMAND_debug, "  --gdb", "--cases"},
                {SUBCOMMAND_diff, "  --html F", "--junit"},
                {SUBCOMMAND_e2e, "  --company", "--fault"},
                {SUBCOMMAND_museum, "  --fault NAME", "--runs"},
                {SUBCOMMAND_COUNT, "  --fault NAME", "--gdb"}};
    for (size_t i = 0; i < N_OF(some); i++) {
        char text[8192] = "", lacks[32];
        FILE *const memory = fmemopen(text, sizeof text - 1, "w");
        assert_non_null(memory);
        const manual page = conform_command_manual(some[i].command);
        manual_help(&page, memory);
        fclose(memory);
        snprintf(lacks, sizeof lacks, "\n  %s ", some[i].lacks);
        assert_that(strstr(text, some[i].has) != NULL, "no '%s' in: %s", some[i].has, text);
        assert_that(strstr(text, lacks) == NULL, "'%s' in: %s", lacks, text);
    }
}

TEST(other_words_name_none)
{
    assert_int_equal(COMMAND(NULL, "marge"), 2);
}
