#include "manual.h"

#include <string.h>

#include "cook.h"

TEST(the_help_shows_forms_options_and_examples)
{
    char *text = cook_text(manual_help);
    assert_string_equal(
        text, "usage: cook boil [options] POT\n"
              "       cook boil [options] PAN [LID]\n"
              "\n"
              "Boils.\n"
              "Slowly.\n"
              "\n"
              "options:\n"
              "  -s, --salt N             how much of it; isn't \"none\" by default\n"
              "  --colour red|green       of the pot\n"
              "  --lid [red|green]        .on or off\n"
              "  --store[=PATH]           what is left over\n"
              "  -q, --quiet              say nothing while it cooks, and nothing when it is\n"
              "                           done: whoever is hungry comes and looks by himself\n"
              "  -h, --help               this text\n"
              "  --version                the version, and what this program was built from\n"
              "\n"
              "examples:\n"
              "  cook boil pot\n"
              "  cook boil pan 'a lid'\n");
    free(text);
}

TEST(a_long_option_has_its_help_below_it)
{
    static const manual_option table[] = {
        {.name = "--a-name-that-is-long", .value = "VALUE", .help = "help"}};
    char text[2048] = "";
    manual page = cook_manual();
    page.table = table;
    page.n_options = 1;
    FILE *const out = fmemopen(text, sizeof text, "w");
    manual_help(&page, out);
    fclose(out);
    assert_non_null(
        strstr(text, "  --a-name-that-is-long VALUE\n                           help\n"));
}
