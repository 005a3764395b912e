#include "args.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

typedef struct values {
    bool flag;
    int colour, cache;
    int64_t n;
    double ratio;
    const char *name, *store;
    char other[64];
    arg_list spices;
} values;

static const char *const colours[] = {"red", "green", NULL};
static const char *const caches[] = {"basic", NULL};

static const arg_option table[] = {
    {.name = "--flag",
     .alias = "-f",
     .kind = ARG_FLAG,
     .at = offsetof(values, flag),
     .help = "a flag"},
    {.name = "-ngl", .kind = ARG_REFUSED, .value = "N", .help = "there is no such thing here"},
    {.name = "--spice",
     .alias = "-s",
     .kind = ARG_LIST,
     .value = "NAME",
     .at = offsetof(values, spices),
     .help = "again for more"},
    {.name = "-n",
     .kind = ARG_INT,
     .value = "N",
     .at = offsetof(values, n),
     .int_range = {-5, 10},
     .help = "a number"},
    {.name = "--ratio",
     .kind = ARG_FLOAT,
     .value = "R",
     .at = offsetof(values, ratio),
     .float_range = {0, 1},
     .help = "a ratio"},
    {.name = "--colour",
     .kind = ARG_CHOICE,
     .at = offsetof(values, colour),
     .choices = colours,
     .help = "a colour"},
    {.name = "--kv",
     .kind = ARG_OPTIONAL_CHOICE,
     .at = offsetof(values, cache),
     .choices = caches,
     .help = "a cache"},
    {.name = "--store",
     .kind = ARG_ATTACHED_STRING,
     .value = "PATH",
     .at = offsetof(values, store),
     .help = "a place"},
    {.name = "--name",
     .kind = ARG_STRING,
     .value = "NAME",
     .at = offsetof(values, name),
     .help = "a name"},
};

static ifn_status take_other(void *cookie, const char *name, const char *value, ifn_error *err)
{
    values *v = cookie;
    (void)err;
    snprintf(v->other, sizeof v->other, "%s=%s", name, value);
    return IFN_OK;
}

static arg_command command(void)
{
    return (arg_command){.program = "cook",
                         .name = "soup",
                         .positionals = "POT [SPOON]",
                         .min_positionals = 1,
                         .max_positionals = 2,
                         .summary = "Cooks.",
                         .options = table,
                         .n_options = N_OF(table)};
}

/* A parsed command line and its results; words are separated by single spaces. */
typedef struct parsed {
    values v;
    char line[256];
    char *argv[16];
    int n;
    args_request request;
    ifn_status status;
    ifn_error err;
} parsed;

static void parse(parsed *p, const arg_command *c, const char *line)
{
    *p = (parsed){.v.cache = -1};
    int argc = 0;
    snprintf(p->line, sizeof p->line, "%s", line);
    for (char *at = p->line; at; argc++) {
        char *space = strchr(at, ' ');
        if (space)
            *space++ = '\0';
        p->argv[argc] = at;
        at = space;
    }
    p->status = args_parse(c, argc, p->argv, &p->v, &p->n, &p->request, &p->err);
}

static parsed *parse_ok(const char *line)
{
    static parsed p;
    const arg_command c = command();
    parse(&p, &c, line);
    assert_ok(p.status, p.err);
    return &p;
}

static void assert_rejected(const char *line, const char *text)
{
    parsed p;
    const arg_command c = command();
    parse(&p, &c, line);
    assert_int_equal(p.status, IFN_ERR_ARGUMENT);
    assert_that(strcmp(p.err.text, text) == 0, "found '%s', expected '%s'", p.err.text, text);
}

TEST(values_may_stand_behind_a_space_an_equals_sign_or_nothing)
{
    assert_int_equal(parse_ok("soup pot -n 7")->v.n, 7);
    assert_int_equal(parse_ok("soup pot -n7")->v.n, 7);
    assert_int_equal(parse_ok("soup pot -n -5")->v.n, -5);
    assert_string_equal(parse_ok("soup --name=bean pot")->v.name, "bean");
    assert_string_equal(parse_ok("soup --name= pot")->v.name, "");
    assert_string_equal(parse_ok("soup --name --flag pot")->v.name, "--flag");
    assert_true(parse_ok("soup pot --ratio 0.25")->v.ratio == 0.25);
    assert_int_equal(parse_ok("soup pot --colour green")->v.colour, 1);
}

TEST(a_flag_stands_alone)
{
    assert_int_equal(parse_ok("soup pot --flag")->v.flag, 1);
    assert_int_equal(parse_ok("soup pot")->v.flag, 0);
    assert_rejected("soup pot --flag=1", "--flag: takes no value, found '1'");
}

TEST(positionals_keep_their_order_among_options)
{
    const parsed *p = parse_ok("soup pot --flag spoon -n 3");
    assert_int_equal(p->n, 2);
    assert_string_equal(p->argv[0], "pot");
    assert_string_equal(p->argv[1], "spoon");
}

TEST(two_dashes_end_the_options_and_one_is_a_name)
{
    const parsed *p = parse_ok("soup - -- --flag");
    assert_int_equal(p->n, 2);
    assert_string_equal(p->argv[0], "-");
    assert_string_equal(p->argv[1], "--flag");
    assert_int_equal(p->v.flag, 0);
}

TEST(an_optional_word_is_taken_only_if_it_is_one_of_the_choices)
{
    const parsed *p = parse_ok("soup --kv pot");
    assert_int_equal(p->v.cache, 0);
    assert_string_equal(p->argv[0], "pot");
    p = parse_ok("soup --kv basic pot");
    assert_int_equal(p->v.cache, 0);
    assert_int_equal(p->n, 1);
    assert_int_equal(parse_ok("soup pot --kv")->v.cache, 0);
    assert_int_equal(parse_ok("soup pot")->v.cache, -1);
    assert_rejected("soup --kv=fast pot", "--kv: found 'fast', expected basic");
}

TEST(an_attached_word_is_no_word_of_its_own)
{
    const parsed *p = parse_ok("soup --store pot");
    assert_string_equal(p->v.store, "");
    assert_string_equal(p->argv[0], "pot");
    p = parse_ok("soup --store=shelf pot");
    assert_string_equal(p->v.store, "shelf");
    assert_string_equal(p->argv[0], "pot");
    assert_null(parse_ok("soup pot")->v.store);
}

TEST(the_last_of_several_wins)
{
    assert_int_equal(parse_ok("soup pot -n 1 -n 2")->v.n, 2);
}

TEST(numbers_outside_their_range_or_with_a_tail_are_rejected)
{
    assert_rejected("soup pot -n 11", "-n: found '11', expected a number in -5 .. 10");
    assert_rejected("soup pot -n -6", "-n: found '-6', expected a number in -5 .. 10");
    assert_rejected("soup pot -n 3x", "-n: found '3x', expected a number in -5 .. 10");
    assert_rejected("soup pot -n 99999999999999999999",
                    "-n: found '99999999999999999999', expected a number in -5 .. 10");
    assert_rejected("soup pot --ratio 1.5", "--ratio: found '1.5', expected a number in 0 .. 1");
    assert_rejected("soup pot --ratio nan", "--ratio: found 'nan', expected a number in 0 .. 1");
    assert_rejected("soup pot --ratio=", "--ratio: found '', expected a number in 0 .. 1");
}

TEST(words_that_are_no_choice_and_missing_values_are_rejected)
{
    assert_rejected("soup pot --colour blue", "--colour: found 'blue', expected red|green");
    assert_rejected("soup pot -n", "-n: needs a value");
}

TEST(unknown_options_are_rejected)
{
    assert_rejected("soup pot --salt", "--salt: unknown option (see cook soup --help)");
    assert_rejected("soup pot --flags",
                    "--flags: unknown option, did you mean '--flag'? (see cook soup --help)");
    assert_rejected("soup pot -x", "-x: unknown option (see cook soup --help)");
}

TEST(an_alias_is_the_option)
{
    assert_int_equal(parse_ok("soup pot -f")->v.flag, 1);
    assert_string_equal(parse_ok("soup pot -s salt")->v.spices.items[0], "salt");
    assert_string_equal(parse_ok("soup pot -ssalt")->v.spices.items[0], "salt");
}

TEST(a_list_takes_an_option_again_and_again_up_to_an_end)
{
    const parsed *p = parse_ok("soup pot --spice salt -s pepper --spice=thyme");
    assert_int_equal(p->v.spices.n, 3);
    assert_string_equal(p->v.spices.items[1], "pepper");
    assert_string_equal(p->v.spices.items[2], "thyme");
    assert_int_equal(parse_ok("soup pot -s1 -s2 -s3 -s4 -s5 -s6 -s7 -s8")->v.spices.n, 8);
    assert_rejected("soup pot -s1 -s2 -s3 -s4 -s5 -s6 -s7 -s8 -s9",
                    "--spice: given more than 8 times");
}

TEST(what_others_have_is_refused_with_a_word_of_why)
{
    assert_rejected("soup pot -ngl 3", "-ngl: there is no such thing here");
    assert_rejected("soup pot -ngl", "-ngl: there is no such thing here");
    assert_int_equal(parse_ok("soup pot -n 3")->v.n, 3);
}

TEST(the_number_of_positionals_is_checked)
{
    assert_rejected("soup", "too few arguments, expected POT [SPOON]");
    assert_rejected("soup a b c", "too many arguments, expected POT [SPOON]");
}

TEST(a_command_without_positionals_refuses_one_and_has_a_usage)
{
    arg_command c = command();
    parsed p;
    c.positionals = NULL;
    c.min_positionals = c.max_positionals = 0;
    parse(&p, &c, "soup pot");
    assert_string_equal(p.err.text, "too many arguments, expected none");
    assert_string_equal(args_manual(&c).forms, "");
}

TEST(help_and_version_need_no_positionals)
{
    assert_int_equal(parse_ok("soup --help")->request, ARGS_HELP);
    assert_int_equal(parse_ok("soup -h")->request, ARGS_HELP);
    assert_int_equal(parse_ok("soup --version")->request, ARGS_VERSION);
    assert_int_equal(parse_ok("soup pot -- --help")->request, ARGS_RUN);
}

TEST(a_command_may_take_options_of_any_name)
{
    parsed p;
    arg_command c = command();
    c.other = take_other;
    parse(&p, &c, "soup pot --peas 3 --flag");
    assert_ok(p.status, p.err);
    assert_string_equal(p.v.other, "--peas=3");
    assert_true(p.v.flag);
    parse(&p, &c, "soup pot --peas=4");
    assert_string_equal(p.v.other, "--peas=4");
    parse(&p, &c, "soup pot --peas");
    assert_int_equal(p.status, IFN_ERR_ARGUMENT);
    parse(&p, &c, "soup pot -x 3");
    assert_int_equal(p.status, IFN_ERR_ARGUMENT);
}

TEST(the_usage_text_shows_every_option)
{
    char *text = NULL;
    size_t bytes;
    const arg_command c = command();
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    args_usage(&c, out);
    fclose(out);
    static const char *const parts[] = {"usage: cook soup [options] POT [SPOON]\n",
                                        "Cooks.",
                                        "-f, --flag  ",
                                        "-n N  ",
                                        "--colour red|green  ",
                                        "--kv [basic]  ",
                                        "a ratio\n"};
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_that(strstr(text, parts[i]) != NULL, "no '%s' in: %s", parts[i], text);
    free(text);
}
