#include "report_level.h"

#include <string.h>

#include "test.h"

static conform_report report;

static conform_cell *cell(ifn_op op)
{
    return conform_report_cell(&report, op, 0);
}

/* Every op passes, every relation is tried, a museum and whole models are there. */
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
    }
    memcpy(cell(IFN_OP_MATMUL)->by, "mine", 5);
    report.registers_checked = 1;
    report.end_to_end[0] = (conform_evidence){100, 0};
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
    const conform_level level = conform_level_of(&report, 0);
    assert_that(level.rank == rank, "%s: %s, expected %s", conform_rank_name(level.rank),
                level.lacks, conform_rank_name(rank));
    assert_that(strcmp(level.lacks, lacks) == 0, "'%s', expected '%s'", level.lacks, lacks);
}

static void add_fault(ifn_op op, conform_fault fault)
{
    cell(op)->faults[fault]++;
    cell(op)->failed++;
    cell(op)->passed--;
}

static void what_has_everything_is_gold(void **state)
{
    (void)state;
    const conform_level level = conform_level_of(&report, 0);
    expect(RANK_GOLD, "");
    assert_int_equal(level.own, 1);
    assert_string_equal(level.base, "scalar");
}

static void an_op_that_did_not_run_leaves_no_level(void **state)
{
    (void)state;
    cell(IFN_OP_SILU)->computed = 0;
    expect(RANK_NONE, "1 of 32 ops were not executed, silu among them");
}

static void a_wrong_value_leaves_no_level(void **state)
{
    (void)state;
    add_fault(IFN_OP_ADD, FAULT_VALUE);
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

static void a_broken_relation_is_bronze(void **state)
{
    (void)state;
    add_fault(IFN_OP_ADD, FAULT_PLACE);
    expect(RANK_BRONZE, "1 cases of add fail: placement");
}

static void a_relation_nobody_tried_is_bronze(void **state)
{
    (void)state;
    for (int op = 0; op < IFN_OP_COUNT; op++)
        cell((ifn_op)op)->relations[9].tried = 0;
    expect(RANK_BRONZE, "R9 was never tried");
}

static void a_guard_that_was_hit_is_silver(void **state)
{
    (void)state;
    static const conform_fault guards[] = {FAULT_WROTE, FAULT_OUTSIDE, FAULT_GAP,  FAULT_SLACK,
                                           FAULT_INPUT, FAULT_ABI,     FAULT_GUARD};
    for (size_t i = 0; i < N_OF(guards); i++) {
        add_fault(IFN_OP_ADD, guards[i]);
        assert_int_equal(conform_level_of(&report, 0).rank, RANK_SILVER);
        cell(IFN_OP_ADD)->faults[guards[i]] = 0;
        cell(IFN_OP_ADD)->failed = 0;
    }
    report.registers_checked = 0;
    expect(RANK_SILVER, "registers were not looked at");
}

static void gold_needs_models_and_a_museum(void **state)
{
    (void)state;
    report.museum.failed = 2;
    expect(RANK_SILVER, "2 of 60 faults of the museum survive");
    report.museum.executed = 0;
    expect(RANK_SILVER, "the report has no museum");
    report.end_to_end[0].failed = 1;
    expect(RANK_SILVER, "1 of 100 runs of whole models fail");
    report.end_to_end[0] = (conform_evidence){0, 0};
    expect(RANK_SILVER, "the report has no whole models");
}

#define T(name) cmocka_unit_test_setup_teardown(name, open_gold, close_report)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(what_has_everything_is_gold),       T(an_op_that_did_not_run_leaves_no_level),
        T(a_wrong_value_leaves_no_level),     T(a_case_that_was_lost_leaves_no_level),
        T(a_refusal_must_be_declared),        T(blunt_cases_are_no_proof),
        T(an_error_to_one_side_is_no_bronze), T(a_broken_relation_is_bronze),
        T(a_relation_nobody_tried_is_bronze), T(a_guard_that_was_hit_is_silver),
        T(gold_needs_models_and_a_museum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
