#include "report_rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static conform_report report;

static conform_cell *cell(ifn_op op)
{
    return conform_report_cell(&report, op, 0);
}

/* Opens the report of a whole run of ci: every op passes, every relation is tried, and it includes a museum and
 * whole models. */
static int open_gold(void **state)
{
    (void)state;
    conform_report_open(&report, 1);
    memcpy(report.label[0], "./mine.so", 10);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        conform_cell *c = cell((ifn_op)op);
        c->cases = c->passed = c->computed = c->kinds[0][0].executed = 10;
        c->sharp = 5;
        memcpy(c->by, "scalar", 7);
        c->is_inherited = op != IFN_OP_MATMUL;
        for (int i = 0; i < CONFORM_INVARIANCES; i++)
            c->relations[i] = (conform_relation_count){3, 3, 3};
        reach_row_of(&c->reach.needed, (reach_key){0})->at[REACH_FIRST_RELATIONS] = 3;
        reach_row_of(&c->reach.reached, (reach_key){0})->at[REACH_FIRST_RELATIONS] = 3;
    }
    memcpy(cell(IFN_OP_MATMUL)->by, "mine", 5);
    memcpy(report.profile, "ci", 3);
    memcpy(report.shard, "0/1", 4);
    memcpy(report.origin.cpu, "one", 4);
    report.planned[0] = (conform_planned){10 * IFN_OP_COUNT, 10 * IFN_OP_COUNT, 7, 7};
    report.registers_checked = 1;
    conform_report_add_row(&report, &(e2e_row){.weights = "F16", .rule = "long", .runs = 60});
    conform_report_add_row(&report, &(e2e_row){.weights = "Q4_K", .rule = "long", .runs = 40});
    report.museum = (conform_evidence){60, 0};
    return 0;
}

static int close_report(void **state)
{
    (void)state;
    conform_report_close(&report);
    return 0;
}

static void expect(conform_rank rank, const char *lacks)
{
    const conform_standing standing = conform_standing_of(&report, 0);
    assert_that(standing.rank == rank, "%s: %s, expected %s", conform_rank_name(standing.rank),
                standing.lacks, conform_rank_name(rank));
    assert_that(strcmp(standing.lacks, lacks) == 0, "'%s', expected '%s'", standing.lacks, lacks);
}

static void state_arithmetic(ifn_op op, const char *words)
{
    conform_cell *const c = cell(op);
    snprintf(c->arithmetic, sizeof c->arithmetic, "%s", words);
}

static void the_arithmetic_stands_beside_the_level(void **state)
{
    char text[REPORT_ARITHMETIC_BYTES], *line = NULL;
    size_t bytes;
    (void)state;
    assert_string_equal(conform_report_arithmetic(&report, 0, text), "");
    state_arithmetic(IFN_OP_MATMUL, "products in bf16");
    state_arithmetic(IFN_OP_LINEAR, "products in bf16");
    FILE *const out = open_memstream(&line, &bytes);
    conform_report_ranks(&report, out);
    fclose(out);
    assert_non_null(strstr(line, "./mine.so: Gold, products in bf16, "));
    free(line);
    state_arithmetic(IFN_OP_LINEAR, "products in tf32");
    assert_string_equal(conform_report_arithmetic(&report, 0, text),
                        "matmul: products in bf16; linear: products in tf32");
}

static void add_fault(ifn_op op, conform_check check)
{
    cell(op)->checks[check]++;
    cell(op)->failed++;
    cell(op)->passed--;
}

static void what_has_everything_is_gold(void **state)
{
    (void)state;
    const conform_standing standing = conform_standing_of(&report, 0);
    expect(RANK_GOLD, "");
    assert_int_equal(standing.own, 1);
    assert_string_equal(standing.base, "scalar");
}

static void an_op_that_did_not_run_leaves_no_level(void **state)
{
    (void)state;
    char lacks[96];
    snprintf(lacks, sizeof lacks,
             "1 of %d ops were executed in no dtype, or only in part, silu among them",
             IFN_OP_COUNT);
    cell(IFN_OP_SILU)->computed = 0;
    expect(RANK_NONE, lacks);
}

static void a_run_in_process_earns_no_level(void **state)
{
    (void)state;
    report.is_in_process = 1;
    expect(RANK_NONE, "needs worker processes, this run was --in-process");
}

/* What is declared may be refused; of each op one dtype must be executed whole. */
static void an_op_that_was_refused_in_part_leaves_no_level(void **state)
{
    (void)state;
    char lacks[96];
    snprintf(lacks, sizeof lacks,
             "1 of %d ops were executed in no dtype, or only in part, add among them",
             IFN_OP_COUNT);
    cell(IFN_OP_ADD)->kinds[0][0].refused = 4;
    expect(RANK_NONE, lacks);
    cell(IFN_OP_ADD)->kinds[1][0].executed = 3;
    expect(RANK_GOLD, "");
}

static void a_wrong_value_leaves_no_level(void **state)
{
    (void)state;
    add_fault(IFN_OP_ADD, CHECK_VALUE);
    expect(RANK_NONE, "1 cases of add fail: value");
}

static void a_case_that_was_lost_leaves_no_level(void **state)
{
    (void)state;
    cell(IFN_OP_ADD)->failed++;
    expect(RANK_NONE, "1 cases of add fail");
}

static void a_refusal_must_be_declared(void **state)
{
    (void)state;
    cell(IFN_OP_ADD)->refused = 2;
    expect(RANK_GOLD, "");
    cell(IFN_OP_ADD)->undeclared = 1;
    expect(RANK_NONE, "1 undeclared refusals of add");
}

static void blunt_cases_are_no_proof(void **state)
{
    (void)state;
    cell(IFN_OP_ADD)->blunt = 1;
    expect(RANK_GOLD, "");
    cell(IFN_OP_ADD)->sharp = 0;
    expect(RANK_NONE, "add has blunt cases alone");
}

static void an_error_to_one_side_is_no_bronze(void **state)
{
    (void)state;
    cell(IFN_OP_ADD)->kinds[0][0].outward = (conform_mean){1000, 10, 0.2};
    expect(RANK_NONE, "add errs to one side");
}

/* Passed cases do not make up for a failed one. */
static void a_failure_of_any_kind_leaves_no_level(void **state)
{
    (void)state;
    for (int f = CHECK_NONE + 1; f < CHECK_COUNT; f++) {
        add_fault(IFN_OP_ADD, (conform_check)f);
        assert_int_equal(conform_standing_of(&report, 0).rank, RANK_NONE);
        cell(IFN_OP_ADD)->checks[f] = 0;
        cell(IFN_OP_ADD)->failed--;
        cell(IFN_OP_ADD)->passed++;
    }
    expect(RANK_GOLD, "");
    report.end_to_end[0].failed = 1;
    expect(RANK_NONE, "1 of 100 runs of whole models fail");
}

static void a_problem_leaves_no_level(void **state)
{
    (void)state;
    conform_report_problem(&report, "./mine.so: shard 1 of 2 is missing");
    expect(RANK_NONE, "the run is not conformant");
}

/* Two backends of one report are ranked independently. */
static void what_is_wrong_with_another_is_its_own(void **state)
{
    (void)state;
    report.n_tested = 2;
    memcpy(report.label[1], "other", 6);
    conform_report_problem(&report, "other: shard 1 of 2 is missing");
    conform_report_cell(&report, IFN_OP_ADD, 1)->failed = 1;
    expect(RANK_GOLD, "");
    assert_int_equal(conform_standing_of(&report, 1).rank, RANK_NONE);
    conform_report_problem(&report, "baseline: profile smoke, expected that of this run, ci");
    expect(RANK_NONE, "the run is not conformant");
}

static void a_level_is_of_a_whole_run(void **state)
{
    (void)state;
    memcpy(report.filters, "--op add", 9);
    expect(RANK_NONE, "needs a run of everything, this is of --op add alone");
    report.filters[0] = '\0';
    report.planned[0].cases = 100;
    memcpy(report.shard, "0/3", 4);
    expect(RANK_NONE, "needs all shards, this is 0/3");
    report.planned[0] = (conform_planned){320, 320, 6, 7};
    expect(RANK_NONE, "needs all shards, this is 0/3");
    report.planned[0] = (conform_planned){0, 0, 0, 0};
    expect(RANK_NONE, "the report does not say what was planned");
}

static void a_level_is_of_one_machine(void **state)
{
    (void)state;
    snprintf(report.origin.cpu, sizeof report.origin.cpu, "%s", ORIGIN_SEVERAL);
    expect(RANK_NONE, "needs one machine, the reports are of several");
}

static void smoke_is_bronze_at_most(void **state)
{
    (void)state;
    memcpy(report.profile, "smoke", 6);
    expect(RANK_BRONZE, "needs the profile ci, this is smoke");
    memcpy(report.profile, "nightly", 8);
    expect(RANK_GOLD, "");
}

static void a_hole_in_the_certificate_is_bronze(void **state)
{
    (void)state;
    reach_row_of(&cell(IFN_OP_ADD)->reach.needed, (reach_key){0})->at[REACH_FIRST_RELATIONS] = 4;
    const conform_standing standing = conform_standing_of(&report, 0);
    assert_int_equal(standing.rank, RANK_BRONZE);
    assert_int_equal(strncmp(standing.lacks, "add", 3), 0);
    conform_reach_close(&cell(IFN_OP_ADD)->reach);
    expect(RANK_BRONZE, "the report has no certificate of add");
}

static void a_relation_nobody_tried_is_bronze(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        cell((ifn_op)op)->relations[9].tried = 0;
    expect(RANK_BRONZE, "R9 was never tried");
}

static void gold_needs_registers_models_and_a_museum(void **state)
{
    (void)state;
    report.museum.failed = 2;
    expect(RANK_SILVER, "2 of 60 faults of the museum survive");
    report.museum.executed = 0;
    expect(RANK_SILVER, "the report has no museum");
    report.rows[1].runs = 0;
    expect(RANK_SILVER, "needs a long prompt on a whole model of quantized weights");
    memcpy(report.rows[1].weights, "BF16", 5);
    report.rows[1].runs = 40;
    expect(RANK_SILVER, "needs a long prompt on a whole model of quantized weights");
    memcpy(report.rows[1].weights, "Q8_0", 5);
    memcpy(report.rows[1].rule, "exact", 6);
    expect(RANK_SILVER, "needs a long prompt on a whole model of quantized weights");
    memcpy(report.rows[1].rule, "long", 5);
    memcpy(report.rows[0].weights, "F32", 4);
    expect(RANK_SILVER, "needs a long prompt on a whole model of F16 weights");
    report.end_to_end[0] = (conform_evidence){0, 0};
    expect(RANK_SILVER, "the report has no whole models");
    report.registers_checked = 0;
    expect(RANK_SILVER, "registers were not looked at");
}

#define T(name) cmocka_unit_test_setup_teardown(name, open_gold, close_report)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(the_arithmetic_stands_beside_the_level),
        T(what_has_everything_is_gold),
        T(an_op_that_did_not_run_leaves_no_level),
        T(an_op_that_was_refused_in_part_leaves_no_level),
        T(a_run_in_process_earns_no_level),
        T(a_wrong_value_leaves_no_level),
        T(a_case_that_was_lost_leaves_no_level),
        T(a_refusal_must_be_declared),
        T(blunt_cases_are_no_proof),
        T(an_error_to_one_side_is_no_bronze),
        T(a_failure_of_any_kind_leaves_no_level),
        T(a_problem_leaves_no_level),
        T(what_is_wrong_with_another_is_its_own),
        T(a_level_is_of_a_whole_run),
        T(a_level_is_of_one_machine),
        T(smoke_is_bronze_at_most),
        T(a_hole_in_the_certificate_is_bronze),
        T(a_relation_nobody_tried_is_bronze),
        T(gold_needs_registers_models_and_a_museum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
