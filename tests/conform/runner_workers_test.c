#include "runner_workers.h"

#include <signal.h>
#include <string.h>

#include <inferno/clock.h>

#include "bench.h"
#include "patience.h"
#include "test.h"

enum { MANY = 600 }; /* more than two batches */

typedef struct statistics {
    int64_t n, failed, not_run;
    conform_check check;
    double seconds;
    char detail[400];
} statistics;

static void count(void *cookie, const conform_case *c, int tested, const conform_verdict *v)
{
    statistics *t = cookie;
    (void)c;
    (void)tested;
    t->n++;
    t->not_run += v->outcome == OUTCOME_NOT_RUN;
    t->failed += v->outcome == OUTCOME_FAIL;
    if (v->outcome == OUTCOME_FAIL && t->failed == 1) {
        t->check = v->check;
        t->seconds = v->seconds;
        snprintf(t->detail, sizeof t->detail, "%s", v->detail);
    }
}

/* Every 97th case has m = 3, at which the faulty backends fail. */
static statistics run_many(const conform_tested *tested, double patience, int64_t n)
{
    static conform_case cases[MANY];
    conform_runner r;
    ifn_error err = {0};
    statistics t = {0};
    for (int64_t i = 0; i < n; i++)
        cases[i] = bench_case(i % 97 == 50 ? 3 : 2, 5, 4);
    bench_open(&r, tested, 0, patience);
    assert_ok(conform_runner_run(&r, cases, n, count, &t, &err), err);
    conform_runner_close(&r);
    assert_int_equal(t.n, n);
    assert_int_equal(t.not_run, 0);
    return t;
}

TEST(a_crash_is_charged_to_its_case_and_the_run_goes_on)
{
    const statistics t = run_many(&tested_crashes, 10, MANY);
    assert_int_equal(t.failed, 6);
    assert_int_equal(t.check, CHECK_CRASH);
    assert_non_null(strstr(t.detail, "SIGSEGV"));
}

TEST(a_death_has_the_name_of_its_signal)
{
    static const struct {
        int number;
        const char *name;
    } signals[] = {{SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},   {SIGFPE, "SIGFPE"},
                   {SIGABRT, "SIGABRT"}, {SIGKILL, "SIGKILL"}, {SIGUSR1, "a signal"}};
    for (size_t i = 0; i < N_OF(signals); i++) {
        tested_signal = signals[i].number;
        const statistics t = run_many(&tested_dies, 10, 60);
        assert_int_equal(t.failed, 1);
        assert_int_equal(t.check, CHECK_CRASH);
        assert_that(strstr(t.detail, signals[i].name), "%s: %s", signals[i].name, t.detail);
    }
}

TEST(a_process_that_ends_is_charged_to_its_case)
{
    const statistics t = run_many(&tested_exits, 10, MANY);
    assert_int_equal(t.failed, 6);
    assert_non_null(strstr(t.detail, "ended with status 7"));
}

TEST(a_call_that_never_returns_is_ended_by_the_watchdog)
{
    const statistics t = run_many(&tested_hangs, 0.3, 60);
    assert_int_equal(t.failed, 1);
    assert_int_equal(t.check, CHECK_HANG);
    assert_that(t.seconds >= 0.3, "the case that hung took %g s", t.seconds);
}

/* There are twice as many threads as processors: each needs half of the patience, and has to wait for its turn. */
TEST(threads_that_spin_without_a_processor_use_up_no_patience)
{
    const double patience = 0.4;
    tested_spins_for = patience_times(patience) / 2;
    const uint64_t start = ifn_clock_ns();
    const statistics t = run_many(&tested_spins, patience, 60);
    const double seconds = (double)(ifn_clock_ns() - start) * 1e-9;
    assert_that(seconds > 1.5 * patience_times(patience), "%.2f s: no thread had to wait", seconds);
    assert_that(t.failed == 0, "%s: %s", conform_check_name(t.check), t.detail);
}

TEST(threads_that_spin_for_ever_use_it_up)
{
    const statistics t = run_many(&tested_spins_on, 0.1, 60);
    assert_int_equal(t.failed, 1);
    assert_int_equal(t.check, CHECK_HANG);
}

TEST(a_wild_address_is_named_by_its_nearest_tensor)
{
    const statistics t = run_many(&tested_reads_past, 10, 1);
    assert_non_null(strstr(t.detail, "SIGSEGV reading 0 bytes after b"));
}

static ifn_status cannot_open(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    *out = NULL;
    return ifn_fail(err, IFN_ERR_ARGUMENT, "backend '%s': unknown", self->label);
}

TEST(a_backend_that_cannot_be_opened_ends_the_run_before_it_begins)
{
    const conform_tested none = {"nothing", cannot_open, NULL};
    conform_runner r = {.tested = &none, .n_tested = 1, .patience = patience_times(10)};
    ifn_error err = {0};
    assert_int_equal(conform_runner_open(&r, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'nothing': unknown");
    conform_runner_close(&r);
}
