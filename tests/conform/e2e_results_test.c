/* Rows of results that a child process fills in, and what is left of them when it dies. */
#include "e2e_results.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spin.h"
#include "test.h"

static const e2e_way basic = {
    IFN_GRAPH_FUSED, IFN_ACTIVATIONS_F32, IFN_KV_F32, 0, false, false, false};
static const e2e_way forced = {
    IFN_GRAPH_FUSED, IFN_ACTIVATIONS_Q8, IFN_KV_F16, 1, false, false, false};

TEST(a_way_has_one_row_that_says_what_it_is)
{
    e2e_results *const results = e2e_results_open(2, "m.gguf");
    e2e_statistics *const a = e2e_results_row(results, &basic), *const b = e2e_results_row(results,
                                                                                           &forced);
    assert_ptr_equal(a, e2e_results_row(results, &basic));
    assert_ptr_not_equal(a, b);
    assert_int_equal(results->n, 2);
    assert_string_equal(a->row.rule, "exact");
    assert_string_equal(b->row.rule, "forced");
    assert_string_equal(b->row.kv, "f16");
    assert_string_equal(b->row.activations, "q8");
    assert_string_equal(b->row.model, "m.gguf");
    assert_int_equal(b->row.tested, 2);
    e2e_results_close(results);
    e2e_results_close(NULL);
}

typedef enum ending { FINE, KILLED, EXITED, HUNG, CROWDED, BETWEEN } ending;

static void work(void *cookie, e2e_results *results)
{
    const e2e_step step = {.error = 0, .allowed = 1};
    e2e_statistics *const statistics = e2e_results_row(results, &forced);
    const ending how = *(const ending *)cookie;
    e2e_results_begin(results, statistics, "text, whole");
    e2e_statistics_step(statistics, &step, 0, "text, whole");
    if (how == KILLED)
        raise(SIGKILL);
    if (how == EXITED)
        _exit(7);
    while (how == HUNG)
        pause();
    if (how == CROWDED)
        spin_on_all(0.5);
    e2e_results_end(results, statistics);
    if (how == BETWEEN)
        raise(SIGKILL);
}

static void assert_end(ending how, int64_t failed, const char *detail)
{
    e2e_results *const results = e2e_results_open(0, "m.gguf");
    int64_t n_failed = 0;
    e2e_results_guard(results, 0, how == HUNG || how == CROWDED ? 1 : 60, work, &how);
    for (int i = 0; i < results->n; i++) {
        const e2e_row *const row = &results->all_statistics[i].row;
        n_failed += row->failed;
        if (!row->failed)
            continue;
        assert_string_equal(row->check, "died");
        assert_string_equal(row->detail, detail);
        assert_true(results->failed == i + 1);
    }
    assert_int_equal(n_failed, failed);
    assert_int_equal(results->all_statistics[0].row.steps, 1);
    e2e_results_close(results);
}

TEST(a_child_that_dies_fails_the_run_at_hand)
{
    assert_end(FINE, 0, "");
    assert_end(KILLED, 1, "text, whole: killed by signal 9");
    assert_end(EXITED, 1, "text, whole: the process ended with status 7");
    assert_end(HUNG, 1, "text, whole: not done after 1 s");
    assert_end(CROWDED, 0, "");
    assert_end(BETWEEN, 1, "between runs: killed by signal 9");
}

TEST(in_process_nothing_is_forked)
{
    const ending how = FINE;
    ending copy = how;
    e2e_results *const results = e2e_results_open(0, "m.gguf");
    e2e_results_guard(results, 1, 60, work, &copy);
    assert_int_equal(results->all_statistics[0].row.runs, 1);
    assert_int_equal(results->all_statistics[0].row.failed, 0);
    e2e_results_close(results);
}

TEST(rows_are_not_without_end)
{
    e2e_results *const results = e2e_results_open(0, "m.gguf");
    results->n = E2E_MAX_ROWS;
    assert_null(e2e_results_row(results, &basic));
    e2e_results_close(results);
}
