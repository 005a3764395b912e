#include "manual.h"

#include <string.h>

#include "cook.h"

static void write_page(const manual *page, FILE *out)
{
    manual_page(page, NULL, 0, out);
}

static void write_with_commands(const manual *page, FILE *out)
{
    manual_page(page, page, 1, out);
}

static void assert_has(const char *text, const char *part)
{
    assert_that(strstr(text, part) != NULL, "no '%s' in: %s", part, text);
}

TEST(a_page_has_the_sections_that_man_expects)
{
    char *text = cook_text(write_page);
    assert_int_equal(strncmp(text, ".TH COOK\\-BOIL 1 ", 17), 0);
    assert_has(text, ".SH NAME\ncook\\-boil \\- until it's done\n.SH SYNOPSIS\n");
    assert_has(text, ".B cook boil\n[options]\nPOT\n.br\n.B cook boil\n[options]\nPAN [LID]\n");
    assert_has(text, ".SH OPTIONS\n.TP\n\\fB\\-s, \\-\\-salt\\fR \\fIN\\fR\n");
    assert_has(text, "\\fB\\-\\-store\\fR\\fI[=PATH]\\fR\n");
    assert_has(text, "\\fB\\-\\-lid\\fR \\fI[red|green]\\fR\n");
    assert_has(text, ".SH EXIT STATUS\n");
    assert_has(text, ".SH EXAMPLES\n.nf\ncook boil pot\n");
    assert_null(strstr(text, ".SH COMMANDS"));
    free(text);
}

TEST(what_would_be_a_request_is_text)
{
    char *text = cook_text(write_page);
    assert_has(text, "\n\\&.on or off\n");
    assert_has(text, "isn't \\(dqnone\\(dq by default");
    free(text);
}

TEST(a_program_lists_its_commands)
{
    char *text = cook_text(write_with_commands);
    assert_has(text, ".SH COMMANDS\n.TP\n.BR cook\\-boil (1)\nuntil it's done\n");
    assert_has(text, "NO_COLOR");
    free(text);
}
