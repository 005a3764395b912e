/* What the completion scripts contain; tests/cli/completion_test.sh runs those of inferno in the shells. */
#include "manual.h"

#include <string.h>

#include "cook.h"

static manual_program program_of(const manual *page)
{
    return (manual_program){"cook", page, 1, cook_words_of};
}

static void write_bash(const manual *page, FILE *out)
{
    const manual_program program = program_of(page);
    manual_bash(&program, out);
}

static void write_zsh(const manual *page, FILE *out)
{
    const manual_program program = program_of(page);
    manual_zsh(&program, out);
}

static void write_fish(const manual *page, FILE *out)
{
    const manual_program program = program_of(page);
    manual_fish(&program, out);
}

static void assert_holds(void (*write)(const manual *, FILE *), const char *const *parts)
{
    char *text = cook_text(write);
    for (; *parts; parts++)
        assert_that(strstr(text, *parts) != NULL, "no '%s' in: %s", *parts, text);
    free(text);
}

#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(bash_completes_commands_options_and_values)
{
    assert_holds(
        write_bash,
        PARTS("'boil --colour') words='red green' ;;\n", "'boil -q') words='sweet sour' ;;\n",
              "'1 '*) words='--help --version boil' ;;\n", "'2 boil') words='soup cake' ;;\n",
              "boil) words='-h --help --version --salt -s --colour --lid --store -q --quiet' ;;",
              "complete -o default -F _cook cook\n"));
}

TEST(zsh_shows_what_each_means)
{
    assert_holds(write_zsh, PARTS("#compdef cook\n", "items=( 'boil:until it'\\''s done')",
                                  "'boil --colour') compadd -- red green; return ;;\n",
                                  "'3 boil') compadd -- soup cake ;;\n", "'--colour:of the pot'",
                                  "compdef _cook cook\n"));
}

TEST(fish_has_a_line_for_each)
{
    assert_holds(
        write_fish,
        PARTS("complete -c cook -n __fish_use_subcommand -f -a boil -d 'until it\\'s done'\n",
              "complete -c cook -n '__fish_seen_subcommand_from boil' -a 'soup cake'\n",
              "-l salt -s s -r -d 'how much of it; isn\\'t \"none\" by default'\n",
              "-l colour -x -a 'red green' -d 'of the pot'\n", "-l store -d 'what is left over'\n",
              "-s q -l quiet -x -a 'sweet sour' -d "));
}
