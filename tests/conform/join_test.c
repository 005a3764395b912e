#include "join.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

static conform_report sum, one;
static conform_join join;

/* A report of one of two shards of ten cases of add. */
static void make_shard(const char *label, int index)
{
    conform_report_close(&one);
    conform_report_open(&one, 1);
    snprintf(one.label[0], sizeof one.label[0], "%s", label);
    snprintf(one.shard, sizeof one.shard, "%d/2", index);
    snprintf(one.profile, sizeof one.profile, "ci");
    snprintf(one.origin.version, sizeof one.origin.version, "1");
    snprintf(one.binary[0].hash, sizeof one.binary[0].hash, "beef");
    one.planned[0] = (conform_planned){5, 10, (uint64_t)index + 1, 3};
    conform_cell *const c = conform_report_cell(&one, IFN_OP_ADD, 0);
    c->cases = c->passed = c->computed = c->kinds[0][0].executed = 5;
}

static int open_sum(void **state)
{
    (void)state;
    conform_report_open(&sum, 0);
    conform_report_open(&one, 0);
    join = (conform_join){.sum = &sum};
    return 0;
}

static int close_sum(void **state)
{
    (void)state;
    conform_join_close(&join);
    conform_report_close(&one);
    conform_report_close(&sum);
    return 0;
}

static void add(const char *path)
{
    ifn_error err = {0};
    assert_ok(conform_join_add(&join, path, &one, &err), err);
}

static void expect_refused(const char *why)
{
    ifn_error err = {0};
    assert_int_equal(conform_join_add(&join, "b.json", &one, &err), IFN_ERR_FORMAT);
    assert_that(strcmp(err.text, why) == 0, "'%s', expected '%s'", err.text, why);
}

static void expect_problem(const char *problem)
{
    conform_join_finish(&join);
    assert_int_equal(sum.n_problems, 1);
    assert_string_equal(sum.problems[0], problem);
    assert_false(conform_report_is_conformant(&sum));
}

static void all_shards_are_a_whole(void **state)
{
    (void)state;
    make_shard("x", 1);
    add("a.json");
    make_shard("x", 0);
    add("b.json");
    conform_join_finish(&join);
    assert_true(conform_report_is_conformant(&sum));
    assert_string_equal(sum.shard, "merged");
    assert_int_equal(sum.planned[0].cases, 10);
    assert_int_equal(sum.planned[0].digest, 3);
}

static void other_arithmetic_is_refused(void **state)
{
    (void)state;
    make_shard("x", 1);
    add("a.json");
    make_shard("x", 0);
    snprintf(conform_report_cell(&one, IFN_OP_ADD, 0)->arithmetic, CONFORM_ARITHMETIC_BYTES,
             "products in bf16");
    expect_refused("b.json: arithmetic of add 'products in bf16', expected '' as in a.json");
}

static void a_lost_shard_is_named(void **state)
{
    (void)state;
    make_shard("x", 1);
    add("a.json");
    expect_problem("x: shard 0 of 2 is missing");
}

/* Each backend has shards of its own. */
static void shards_are_those_of_a_backend(void **state)
{
    (void)state;
    make_shard("x", 0);
    add("a.json");
    make_shard("x", 1);
    add("b.json");
    make_shard("y", 0);
    add("c.json");
    expect_problem("y: shard 1 of 2 is missing");
    assert_true(conform_report_tested_is_conformant(&sum, 0));
    assert_false(conform_report_tested_is_conformant(&sum, 1));
}

static void a_shard_counts_once(void **state)
{
    (void)state;
    make_shard("x", 1);
    add("a.json");
    expect_refused("b.json: shard 1/2 of x a second time, expected it once");
}

/* The number of cases is the same, but the cases are others. */
static void a_plan_is_known_by_its_digest(void **state)
{
    (void)state;
    make_shard("x", 0);
    add("a.json");
    make_shard("x", 1);
    one.planned[0].digest = 7;
    add("b.json");
    expect_problem("x: 10 cases, digest 8, expected the 10 of the plan, digest 3");
}

static void cases_that_were_lost_are_missed(void **state)
{
    (void)state;
    make_shard("x", 0);
    add("a.json");
    make_shard("x", 1);
    conform_report_cell(&one, IFN_OP_ADD, 0)->cases = 4;
    conform_report_cell(&one, IFN_OP_ADD, 0)->passed = 4;
    add("b.json");
    expect_problem("x: 9 cases were judged, expected the 10 planned");
}

static void mixtures_are_refused(void **state)
{
    (void)state;
    make_shard("x", 0);
    add("a.json");
    make_shard("x", 1);
    snprintf(one.profile, sizeof one.profile, "smoke");
    expect_refused("b.json: profile 'smoke', expected 'ci' as in a.json");
    make_shard("x", 1);
    one.seed = 7;
    expect_refused("b.json: seed '7', expected '0' as in a.json");
    make_shard("x", 1);
    snprintf(one.filters, sizeof one.filters, "--op add");
    expect_refused("b.json: filters '--op add', expected '' as in a.json");
    make_shard("x", 1);
    snprintf(one.shard, sizeof one.shard, "1/3");
    expect_refused("b.json: number of shards '3', expected '2' as in a.json");
    make_shard("x", 1);
    snprintf(one.binary[0].hash, sizeof one.binary[0].hash, "f00d");
    expect_refused("b.json: x 'f00d', expected 'beef' as in a.json");
    make_shard("x", 1);
    snprintf(one.origin.version, sizeof one.origin.version, "2");
    expect_refused("b.json: inferno '2', expected '1' as in a.json");
    make_shard("x", 1);
    one.planned[0].whole_digest = 4;
    expect_refused("b.json: x: a plan of 10 cases, digest 4, expected 10 and 3");
    make_shard("x", 1);
    one.planned[0] = (conform_planned){0, 0, 0, 0};
    expect_refused("b.json: x: does not say what was planned, expected a report of this version");
    make_shard("x", 1);
    snprintf(one.shard, sizeof one.shard, "2/2");
    expect_refused("b.json: shard 2/2, expected i/n with i below n");
}

static void whole_models_and_museums_count_once(void **state)
{
    (void)state;
    make_shard("x", 0);
    add("a.json");
    for (int i = 0; i < 2; i++) {
        conform_report_close(&one);
        conform_report_open(&one, 1);
        one.origin.version[0] = '1';
        snprintf(one.label[0], sizeof one.label[0], "x");
        snprintf(one.binary[0].hash, sizeof one.binary[0].hash, "beef");
        conform_report_add_row(&one, &(e2e_row){.model = "m", .runs = 3});
        if (i == 0)
            add("e.json");
        else
            expect_refused("b.json: model m on x a second time, expected it once");
    }
    conform_report_close(&one);
    conform_report_open(&one, 0);
    one.origin.version[0] = '1';
    one.museum.executed = 5;
    add("m.json");
    expect_refused("b.json: a second museum, expected one");
}

static void machines_may_differ_and_it_is_said(void **state)
{
    (void)state;
    make_shard("x", 0);
    add("a.json");
    make_shard("x", 1);
    snprintf(one.origin.cpu, sizeof one.origin.cpu, "other");
    add("b.json");
    conform_join_finish(&join);
    assert_true(conform_report_is_conformant(&sum));
    assert_string_equal(sum.origin.cpu, ORIGIN_SEVERAL);
}

#define T(name) cmocka_unit_test_setup_teardown(name, open_sum, close_sum)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(all_shards_are_a_whole),
        T(other_arithmetic_is_refused),
        T(a_lost_shard_is_named),
        T(shards_are_those_of_a_backend),
        T(a_shard_counts_once),
        T(a_plan_is_known_by_its_digest),
        T(cases_that_were_lost_are_missed),
        T(mixtures_are_refused),
        T(whole_models_and_museums_count_once),
        T(machines_may_differ_and_it_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
