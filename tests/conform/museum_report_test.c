/* The kill matrix of three faults: one killed by two detectors, one that only died, one unnoticed. */
#include "museum_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "test.h"

enum { CRASH = DETECTOR_FIRST_CHECK + CHECK_CRASH, PARTS = DETECTOR_FIRST_CHECK + CHECK_PARTS };

static const conform_museum_fault faults[] = {
    {"wrong", "matmul", "T0", "says \"<wrong>\"", "own", 0},
    {"dies", "add", "guard", "dies", "mlx#1", 2026},
    {"hides", "add", "T1", "hides", "mlx#2", 2026},
};

static void put_kill(conform_museum_row *row, int detector, int64_t work)
{
    conform_museum_kill *k = &row->kills[detector];
    *k = (conform_museum_kill){.is_there = 1, .work = work, .seconds = 0.25};
    snprintf(k->id, sizeof k->id, "%s/case", row->fault->name);
}

/* Returns a report whose rows the caller frees. */
static conform_museum_report sample(void)
{
    conform_museum_report r = {.museum = "./museum.so",
                               .base = "scalar",
                               .profile = "ci",
                               .seed = 7,
                               .n_detectors = 2,
                               .n = N_OF(faults)};
    r.rows = calloc(N_OF(faults), sizeof *r.rows);
    assert_non_null(r.rows);
    for (size_t i = 0; i < N_OF(faults); i++)
        r.rows[i] = (conform_museum_row){.fault = &faults[i], .op = IFN_OP_ADD, .n_cases = 12};
    put_kill(&r.rows[0], TIER_T1, 500);
    put_kill(&r.rows[0], PARTS, 20);
    put_kill(&r.rows[0], CRASH, 1);
    put_kill(&r.rows[1], CRASH, 3);
    return r;
}

static char *written(void (*write)(const conform_museum_report *r, FILE *out))
{
    conform_museum_report r = sample();
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    assert_non_null(out);
    write(&r, out);
    fclose(out);
    free(r.rows);
    return text;
}

TEST(a_judgement_comes_before_a_death_and_the_cheapest_first)
{
    conform_museum_report r = sample();
    assert_int_equal(conform_museum_killer(&r.rows[0]), PARTS);
    assert_int_equal(conform_museum_killer(&r.rows[1]), CRASH);
    assert_int_equal(conform_museum_killer(&r.rows[2]), -1);
    assert_true(conform_museum_is_killed(&r.rows[0]));
    assert_false(conform_museum_is_killed(&r.rows[1]));
    free(r.rows);
}

TEST(deaths_are_counted_apart)
{
    conform_museum_report r = sample();
    const conform_museum_sum sum = conform_museum_add_up(&r);
    assert_int_equal(sum.killed, 1);
    assert_int_equal(sum.crashed, 1);
    assert_int_equal(sum.survived, 1);
    assert_int_equal(sum.kills[CRASH], 2);
    assert_int_equal(sum.only[PARTS], 0); /* T1 noticed the fault, too */
    r.rows[0].kills[TIER_T1].is_there = 0;
    assert_int_equal(conform_museum_add_up(&r).only[PARTS], 1);
    free(r.rows);
}

TEST(a_detector_that_is_superfluous_without_a_reason_is_counted)
{
    conform_museum_report r = sample();
    conform_museum_sum sum = conform_museum_add_up(&r);
    assert_int_equal(conform_museum_unexplained(&r, &sum), 0); /* some faults were not tried */
    r.is_whole = 1;
    const int n = conform_museum_unexplained(&r, &sum);
    assert_true(n > 2);
    sum.only[TIER_T2] = 1;
    sum.only[TIER_T1] = 1;
    assert_int_equal(conform_museum_unexplained(&r, &sum), n - 2);
    sum.only[TIER_GOLDEN] = 1; /* this detector has a stated reason */
    assert_int_equal(conform_museum_unexplained(&r, &sum), n - 2);
    for (int f = 0; f < DETECTOR_COUNT; f++)
        sum.only[f] = 1;
    assert_int_equal(conform_museum_unexplained(&r, &sum), 0);
    r.n_detectors = 1;
    sum.only[TIER_T2] = 0;
    assert_int_equal(conform_museum_unexplained(&r, &sum), 0);
    free(r.rows);
}

TEST(rows_of_a_year_are_a_wing)
{
    conform_museum_report r = sample();
    const conform_museum_wing others = conform_museum_wing_at(&r, 0);
    const conform_museum_wing wing = conform_museum_wing_at(&r, 1);
    assert_int_equal(others.year, 0);
    assert_int_equal(others.n, 1);
    assert_int_equal(others.killed, 1);
    assert_int_equal(wing.year, 2026);
    assert_int_equal(wing.n, 2);
    assert_int_equal(wing.killed, 0); /* one only died, one was not noticed */
    free(r.rows);
}

TEST(the_text_shows_who_killed_whom)
{
    char *text = written(conform_museum_text);
    assert_non_null(strstr(text, "after bugs of other years, and our own: 1 of 1 killed\nwrong"));
    assert_non_null(strstr(text, "after bugs of 2026: 0 of 2 killed\ndies"));
    assert_non_null(strstr(text, "SURVIVES 12 cases"));
    assert_non_null(strstr(text, "250 ms  wrong/case"));
    assert_non_null(strstr(text, "1 killed by a judgement, 1 only died, 1 survived"));
    assert_non_null(strstr(text, "alone in nothing; stays: "));
    free(text);
}

TEST(the_document_is_json)
{
    char *text = written(conform_museum_json);
    json *j = json_parse(text, NULL);
    const json *rows = json_get(j, "faults");
    assert_string_equal(json_get(j, "inferno")->string, "museum/1");
    assert_int_equal(json_int(json_get(j, "survived")), 1);
    assert_int_equal(rows->n, 3);
    assert_int_equal(json_get(j, "wings")->n, 2);
    assert_int_equal(json_int(json_get(&json_get(j, "wings")->items[1], "year")), 2026);
    assert_int_equal(json_int(json_get(&json_get(j, "wings")->items[1], "faults")), 2);
    assert_int_equal(json_int(json_get(&json_get(j, "wings")->items[0], "killed")), 1);
    assert_int_equal(json_int(json_get(&rows->items[2], "year")), 2026);
    assert_string_equal(json_get(&rows->items[0], "killer")->string, "parts");
    assert_string_equal(json_get(&rows->items[0], "text")->string, "says \"<wrong>\"");
    assert_int_equal(json_get(&rows->items[0], "kills")->n, 3);
    assert_string_equal(json_get(&rows->items[1], "outcome")->string, "died");
    assert_string_equal(json_get(&rows->items[2], "outcome")->string, "survived");
    json_free(j);
    free(text);
}

TEST(the_page_stands_alone)
{
    char *text = written(conform_museum_html);
    assert_non_null(strstr(text, "says &quot;&lt;wrong&gt;&quot;"));
    assert_non_null(strstr(text, "survives 12 cases"));
    assert_non_null(strstr(text, ">after bugs of 2026: 0 of 2 killed</th>"));
    assert_null(strstr(text, "src="));
    assert_null(strstr(text, "http"));
    assert_non_null(strstr(text, "</html>"));
    free(text);
}
