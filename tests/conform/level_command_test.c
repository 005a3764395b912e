#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output_file.h"
#include "paths.h"
#include "report_rank.h"
#include "test.h"

/* Writes a report in which every op of one backend passes. */
static void write_report(const char *path)
{
    conform_report r;
    ifn_error err = {0};
    conform_report_open(&r, 1);
    memcpy(r.label[0], "mine", 5);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        conform_cell *c = conform_report_cell(&r, (ifn_op)op, 0);
        c->cases = c->passed = c->computed = c->kinds[0][0].executed = 10;
        memcpy(c->by, "scalar", 7);
        c->is_inherited = 1;
        for (int i = 0; i < CONFORM_INVARIANCES; i++)
            c->relations[i] = (conform_relation_count){3, 3, 3};
        reach_row_of(&c->reach.needed, (reach_key){0})->at[REACH_FIRST_RELATIONS] = 3;
        reach_row_of(&c->reach.reached, (reach_key){0})->at[REACH_FIRST_RELATIONS] = 3;
    }
    memcpy(r.profile, "ci", 3);
    memcpy(r.shard, "0/1", 4);
    memcpy(r.origin.version, "1", 2);
    r.planned[0] = (conform_planned){10 * IFN_OP_COUNT, 10 * IFN_OP_COUNT, 7, 7};
    r.registers_checked = 1;
    conform_report_add_row(&r,
                           &(e2e_row){.model = "a", .weights = "F16", .rule = "long", .runs = 100});
    conform_report_add_row(
        &r, &(e2e_row){.model = "b", .weights = "Q8_0", .rule = "long", .runs = 100});
    assert_ok(conform_write_file(path, conform_report_json, &r, &err), err);
    conform_report_close(&r);
}

static void expect_line(const char *line, int status, const char *const *words)
{
    char *out;
    assert_int_equal(command_run(&out, words), status);
    assert_that(strcmp(out, line) == 0, "'%s', expected '%s'", out, line);
    free(out);
}

TEST(a_museum_beside_a_report_makes_gold)
{
    static const char museum[] =
        "{\"inferno\": \"museum/1\", \"killed\": 60, \"died\": 0, "
        "\"survived\": 0, \"whole\": true, \"shipped\": true, \"faults\": [], "
        "\"origin\": {\"version\": \"1\"}}";
    char a[256], b[256];
    snprintf(a, sizeof a, "%s", temp_path("a.json"));
    snprintf(b, sizeof b, "%s", temp_path("b.json"));
    write_report(a);
    write_file(b, museum, sizeof museum - 1);
    expect_line("mine: Silver, all of it inherited from scalar; Gold: the report has no museum\n",
                0, (const char *const[]){"level", a, NULL});
    expect_line("mine: Gold, all of it inherited from scalar\n", 0,
                (const char *const[]){"level", a, b, NULL});
    temp_clean();
}

/* The rank that a report states for itself does not count. */
TEST(a_report_that_flatters_itself_is_refused)
{
    char path[256];
    snprintf(path, sizeof path, "%s", temp_path("a.json"));
    write_report(path);
    char *text = read_file(path, NULL), *level = strstr(text, "\"Silver\"");
    assert_non_null(level);
    memcpy(level, "\"Gold\"  ", 8);
    write_file(path, text, strlen(text));
    free(text);
    assert_int_equal(COMMAND(NULL, "level", path), 1);
    temp_clean();
}

TEST(wrong_usage_is_told)
{
    assert_int_equal(COMMAND(NULL, "level"), 2);
    assert_int_equal(COMMAND(NULL, "level", "/nowhere"), 2);
}
