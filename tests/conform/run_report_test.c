#include "run_report.h"

#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "paths.h"
#include "test.h"

TEST(verdicts_are_counted_by_op_backend_and_dtype)
{
    conform_report r = bench_measurement();
    const conform_cell *good = conform_report_cell(&r, IFN_OP_MATMUL, 0),
                       *bad = conform_report_cell(&r, IFN_OP_MATMUL, 1);
    assert_int_equal(good->cases, 2);
    assert_int_equal(good->passed, 2);
    assert_int_equal(good->sharp, 2);
    assert_int_equal(good->calls, 14);
    assert_int_equal(good->compared, 16);
    assert_true(good->ratio == 0.25);
    assert_int_equal(good->kinds[IFN_DTYPE_F32][0].executed, 2);
    assert_int_equal(bad->failed, 1);
    assert_int_equal(bad->refused, 1);
    assert_int_equal(bad->blunt, 1);
    assert_int_equal(bad->checks[CHECK_VALUE], 1);
    assert_int_equal(bad->kinds[IFN_DTYPE_F32][0].refused, 1);
    assert_int_equal(r.n_failures, 1);
    assert_string_equal(r.failures[0].id, "matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234");
    assert_false(conform_report_is_conformant(&r));
    conform_report_close(&r);
}

TEST(failures_are_kept_up_to_a_number_and_counted_beyond)
{
    conform_report r;
    const conform_case c = bench_case(1, 1, 1);
    const conform_verdict bad = {.outcome = OUTCOME_FAIL, .check = CHECK_GAP};
    conform_report_open(&r, 1);
    for (int i = 0; i < 3 * REPORT_KEPT; i++)
        conform_report_add(&r, &c, 0, &bad);
    assert_int_equal(r.n_failures, REPORT_KEPT);
    assert_int_equal(conform_report_cell(&r, IFN_OP_MATMUL, 0)->failed, 3 * REPORT_KEPT);
    conform_report_close(&r);
}

TEST(a_case_that_was_never_run_fails)
{
    conform_report r;
    const conform_case c = bench_case(1, 1, 1);
    const conform_verdict none = {.outcome = OUTCOME_NOT_RUN};
    conform_report_open(&r, 1);
    conform_report_add(&r, &c, 0, &none);
    assert_false(conform_report_is_conformant(&r));
    conform_report_close(&r);
}

TEST(headroom_and_kinds_are_counted_and_merged)
{
    conform_report sum, part;
    const conform_case c = bench_case(1, 1, 1);
    const conform_verdict half = {.outcome = OUTCOME_PASS, .n_compared = 1, .ratio = 0.5},
                          wrong = {.outcome = OUTCOME_FAIL,
                                   .check = CHECK_VALUE,
                                   .n_compared = 1,
                                   .ratio = 3},
                          died = {.outcome = OUTCOME_FAIL, .check = CHECK_CRASH};
    conform_report_open(&sum, 1);
    conform_report_open(&part, 1);
    conform_report_add(&sum, &c, 0, &half);
    conform_report_add(&part, &c, 0, &half);
    conform_report_add(&part, &c, 0, &wrong);
    conform_report_add(&part, &c, 0, &died);
    assert_true(conform_report_merge(&sum, &part));
    const conform_cell *const cell = conform_report_cell(&sum, IFN_OP_MATMUL, 0);
    assert_int_equal(cell->headroom[headroom_bin(0.5)], 2);
    assert_int_equal(cell->headroom[headroom_bin(3)], 1);
    assert_int_equal(cell->headroom[HEADROOM_EXACT], 0);
    assert_int_equal(cell->kinds[IFN_DTYPE_F32][0].failed, 2);
    assert_true(cell->kinds[IFN_DTYPE_F32][0].ratio >= 3);
    conform_report_close(&sum);
    conform_report_close(&part);
}

TEST(a_plugin_that_was_replaced_is_a_problem)
{
    conform_report r;
    char path[256];
    snprintf(path, sizeof path, "%s", temp_path("mine.so"));
    write_file(path, "a", 1);
    conform_report_open(&r, 2);
    snprintf(r.label[0], sizeof r.label[0], "%s", path);
    memcpy(r.label[1], "scalar", 7);
    for (int i = 0; i < 2; i++)
        report_binary_fill(&r.binary[i], r.label[i]);
    conform_report_check_files(&r);
    assert_int_equal(r.n_problems, 0);
    write_file(path, "b", 1);
    conform_report_check_files(&r);
    assert_int_equal(r.n_problems, 1);
    assert_non_null(strstr(r.problems[0], "the file has changed during the run, from "));
    conform_report_close(&r);
    temp_clean();
}

/* Whether each of two backends is conformant in a report that has one problem. */
static void expect_spared(const char *first, const char *second, const char *problem, bool first_is,
                          bool second_is)
{
    conform_report r;
    conform_report_open(&r, 2);
    snprintf(r.label[0], sizeof r.label[0], "%s", first);
    snprintf(r.label[1], sizeof r.label[1], "%s", second);
    conform_report_problem(&r, "%s", problem);
    assert_int_equal(conform_report_tested_is_conformant(&r, 0), first_is);
    assert_int_equal(conform_report_tested_is_conformant(&r, 1), second_is);
    conform_report_close(&r);
}

/* The label of one backend may begin with that of another. */
TEST(a_problem_is_of_the_backend_that_it_names_in_full)
{
    expect_spared("./x.so", "./x.so: scalar", "./x.so: scalar: its process ended", true, false);
    expect_spared("./x.so", "scalar", "./x.so: its process ended", false, true);
    expect_spared("./x.so", "scalar", "2 cases of all were lost", false, false);
}

TEST(merging_adds_up_cells_and_keeps_failures)
{
    conform_report sum = bench_measurement(), part = bench_measurement();
    memcpy(part.label[1], "./other.so", 11);
    assert_true(conform_report_merge(&sum, &part));
    assert_int_equal(sum.n_tested, 3);
    assert_int_equal(conform_report_cell(&sum, IFN_OP_MATMUL, 0)->cases, 4);
    assert_int_equal(conform_report_cell(&sum, IFN_OP_MATMUL, 1)->failed, 1);
    assert_int_equal(conform_report_cell(&sum, IFN_OP_MATMUL, 2)->failed, 1);
    assert_int_equal(sum.n_failures, 2);
    assert_int_equal(sum.failures[1].tested, 2);
    assert_true(sum.seconds == 3.0);
    assert_true(conform_report_cell(&sum, IFN_OP_MATMUL, 0)->seconds == 1.0);
    conform_report_close(&sum);
    conform_report_close(&part);
}

/* Merging keeps the worst error with its case, and the implementer of an op with whether the op is inherited. */
TEST(merging_keeps_what_belongs_together)
{
    conform_report sum = bench_measurement(), part = bench_measurement();
    conform_cell *const to = conform_report_cell(&sum, IFN_OP_MATMUL, 0), *const from =
                                                                              conform_report_cell(
                                                                                  &part,
                                                                                  IFN_OP_MATMUL, 0);
    conform_kind *const kind = &to->kinds[IFN_DTYPE_F32][0];
    strcpy(to->worst, "mine");
    strcpy(from->worst, "other");
    from->ratio = 0.5;
    strcpy(from->by, "simd");
    from->is_inherited = 1;
    from->scalar_ratio = 0.125;
    from->checks[CHECK_GAP] = to->checks[CHECK_GAP] = 2;
    from->relations[3] = to->relations[3] = (conform_relation_count){4, 3, 2};
    from->kinds[IFN_DTYPE_F32][0].t2_cases = kind->t2_cases = 5;
    from->kinds[IFN_DTYPE_F32][0].t2_ratio = 0.75;
    from->kinds[IFN_DTYPE_F32][0].bias = kind->bias = (conform_mean){1, 2, 4};
    part.planned[0] = (conform_planned){7, 20, 0x1234, 0x5678};
    sum.planned[0] = (conform_planned){6, 0, 0x1000, 0};
    part.registers_checked = 1;
    assert_true(conform_report_merge(&sum, &part));
    assert_true(to->ratio == 0.5 && to->scalar_ratio == 0.125);
    assert_string_equal(to->worst, "other");
    assert_string_equal(to->by, "simd");
    assert_int_equal(to->is_inherited, 1);
    assert_int_equal(to->checks[CHECK_GAP], 4);
    assert_int_equal(to->relations[3].held, 6);
    assert_true(kind->t2_cases == 10 && kind->t2_ratio == 0.75);
    assert_true(kind->bias.n == 2 && kind->bias.squares == 8);
    assert_int_equal(sum.planned[0].cases, 13);
    assert_int_equal(sum.planned[0].digest, 0x2234);
    assert_int_equal(sum.planned[0].whole, 20);
    assert_int_equal(sum.planned[0].whole_digest, 0x5678);
    assert_int_equal(sum.registers_checked, 1);
    from->ratio = 0.25;
    strcpy(from->by, "scalar");
    from->is_inherited = 0;
    strcpy(from->worst, "better");
    assert_true(conform_report_merge(&sum, &part));
    assert_string_equal(to->worst, "other");
    assert_string_equal(to->by, "simd");
    assert_int_equal(to->is_inherited, 1);
    conform_report_close(&sum);
    conform_report_close(&part);
}

TEST(a_list_that_is_full_says_how_many_problems_more_there_are)
{
    conform_report r;
    conform_report_open(&r, 1);
    for (int i = 0; i < 64; i++)
        conform_report_problem(&r, "problem %d", i);
    assert_int_equal(r.n_problems, 64);
    assert_string_equal(r.problems[63], "problem 63");
    conform_report_problem(&r, "problem 64");
    conform_report_problem(&r, "problem 65");
    assert_int_equal(r.n_problems, 64);
    assert_string_equal(r.problems[62], "problem 62");
    assert_string_equal(r.problems[63], "and 3 problems more, of which there is no list");
    conform_report_close(&r);
}

/* A single shard may lack something; statements about the merged report are worked out from the merged counts. */
TEST(what_follows_from_counts_is_not_merged_but_found_again)
{
    conform_report sum, lazy;
    const conform_case c = bench_case(1, 1, 1);
    const conform_verdict refused = {.outcome = OUTCOME_REFUSED, .is_declared = 1},
                          passed = {.outcome = OUTCOME_PASS};
    conform_report_open(&sum, 1);
    conform_report_open(&lazy, 1);
    conform_report_add(&sum, &c, 0, &passed);
    conform_report_add(&lazy, &c, 0, &refused);
    lazy.museum = (conform_evidence){60, 1};
    conform_report_account(&lazy);
    assert_int_equal(lazy.n_problems, 2);
    conform_report_problem(&lazy, "newly refused: of another kind");
    sum.end_to_end[0] = (conform_evidence){5, 0};
    assert_true(conform_report_merge(&sum, &lazy));
    conform_report_account(&sum);
    assert_int_equal(sum.n_problems, 1);
    assert_string_equal(sum.problems[0], "newly refused: of another kind");
    assert_int_equal(sum.museum.executed, 60);
    assert_int_equal(sum.end_to_end[0].executed, 5);
    conform_report_close(&sum);
    conform_report_close(&lazy);
}
