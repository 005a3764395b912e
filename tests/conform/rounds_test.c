#include "rounds.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "paths.h"
#include "signals.h"
#include "test.h"

enum { PATH_BYTES = 256 };

static void report_path(char out[PATH_BYTES], const char *name)
{
    snprintf(out, PATH_BYTES, "%s", temp_path(name));
}

static conform_report read_report(const char *path)
{
    conform_report r;
    ifn_error err = {0};
    assert_ok(conform_report_read(path, &r, &err), err);
    return r;
}

static int64_t cases_of(const conform_report *r)
{
    return conform_report_cell(r, IFN_OP_ADD, 0)->cases;
}

/* Every round has seeds of its own, so two rounds give the counts of two merged runs. */
TEST(rounds_go_on_until_the_time_is_over)
{
    enum { ALWAYS = 12 }; /* the `always` cases of spec/ops/add.yaml */
    char path[PATH_BYTES];
    report_path(path, "rounds.json");
    assert_int_equal(COMMAND(NULL, "--backend=scalar", "--op=add", "--cases=20", "--seed=5",
                             "--for=1s", "--quiet", "--json", path),
                     0);
    conform_report r = read_report(path);
    assert_int_equal(r.seed, 5);
    assert_true(r.rounds_done >= 2 && r.rounds_begun - r.rounds_done <= 1);
    assert_in_range(cases_of(&r), 20 * r.rounds_done, (40 + ALWAYS) * r.rounds_begun);
    assert_true(r.seconds >= 1);
    conform_report_close(&r);
    temp_clean();
}

TEST(the_first_round_is_run_to_its_end)
{
    const conform_report r = {.rounds_begun = 1}, done = {.rounds_begun = 1, .rounds_done = 1};
    conform_rounds rounds = {.report = &r, .seconds = 1e-9};
    assert_false(conform_rounds_are_over(&rounds));
    rounds.report = &done;
    assert_true(conform_rounds_are_over(&rounds));
}

TEST(what_is_left_is_said)
{
    char out[80];
    conform_report r;
    conform_rounds rounds;
    conform_report_open(&r, 1);
    r.rounds_begun = 3;
    conform_rounds_start(&rounds, &r, 8 * 3600 + 30);
    conform_rounds_say(&rounds, out, sizeof out);
    conform_rounds_finish(&rounds);
    assert_string_equal(out, "round 3, 0 cases/s, 8 h 00 m left");
    conform_report_close(&r);
}

/* The resumed run gives the same report as one that was never interrupted. */
TEST(a_run_goes_on_with_the_next_seed)
{
    char first[PATH_BYTES], both[PATH_BYTES], other[PATH_BYTES];
    report_path(first, "first.json");
    report_path(both, "both.json");
    report_path(other, "other.json");
    assert_int_equal(
        COMMAND(NULL, "--backend=scalar", "--op=add", "--cases=20", "--seed=5", "--json", first),
        0);
    assert_int_equal(COMMAND(NULL, "--backend=scalar", "--op=add", "--cases=20", "--resume", first,
                             "--json", both),
                     0);
    assert_int_equal(
        COMMAND(NULL, "--backend=scalar", "--op=add", "--cases=20", "--seed=6", "--json", other),
        0);
    conform_report a = read_report(first), b = read_report(both), c = read_report(other);
    assert_int_equal(b.seed, 5);
    assert_int_equal(b.rounds_begun, 2);
    assert_int_equal(b.rounds_done, 2);
    assert_int_equal(cases_of(&b), cases_of(&a) + cases_of(&c));
    const reach_table *const reached = &conform_report_cell(&b, IFN_OP_ADD, 0)->reach.reached;
    const int class = reach_class(REACH_REGIMES, TIER_GOLDEN * FAMILY_COUNT + FAMILY_WRITTEN, 0);
    assert_int_equal(reached->rows[0].at[class], 8);
    conform_report_close(&a);
    conform_report_close(&b);
    conform_report_close(&c);
    temp_clean();
}

static void expect_refused(const char *path, const char *edit, const char *by, const char *why)
{
    char copy[PATH_BYTES];
    uint64_t seed;
    ifn_error err = {0};
    conform_report r, then;
    char *const text = read_file(path, NULL), *const at = strstr(text, edit);
    assert_non_null(at);
    memcpy(at, by, strlen(by));
    report_path(copy, "edited.json");
    write_file(copy, text, strlen(text));
    free(text);
    conform_report_open(&r, 1);
    memcpy(r.label[0], "scalar", 7);
    memcpy(r.profile, "smoke", 6);
    memcpy(r.shard, "0/1", 4);
    assert_ok(conform_report_read(path, &then, &err), err);
    memcpy(r.filters, then.filters, sizeof r.filters);
    r.origin = then.origin;
    r.binary[0] = then.binary[0];
    conform_report_close(&then);
    assert_int_equal(conform_rounds_resume(&r, copy, &seed, &err), IFN_ERR_ARGUMENT);
    assert_that(strstr(err.text, why), "'%s' does not say '%s'", err.text, why);
    conform_report_close(&r);
}

TEST(a_report_of_another_run_is_refused)
{
    char path[PATH_BYTES];
    report_path(path, "then.json");
    assert_int_equal(COMMAND(NULL, "--backend=scalar", "--op=add", "--cases=3", "--json", path), 0);
    expect_refused(path, "smoke", "smoky", "is of profile smoky, expected smoke");
    expect_refused(path, "0/1", "0/2", "is of shard 0/2, expected 0/1");
    expect_refused(path, "--op", "--OP", "is of filters --OP add --cases 3, expected --op add");
    char *text = read_file(path, NULL);
    for (char *p = text; (p = strstr(p, "\"scalar\"")) != NULL;)
        memcpy(p, "\"others\"", 8);
    write_file(path, text, strlen(text));
    free(text);
    expect_refused(path, "others", "others", "is of backend others, expected scalar");
    assert_int_equal(COMMAND(NULL, "--backend=scalar", "--resume", "/nowhere.json"), 2);
    temp_clean();
}

TEST(an_older_report_does_not_say_where_to_go_on)
{
    char path[PATH_BYTES];
    report_path(path, "old.json");
    assert_int_equal(COMMAND(NULL, "--backend=scalar", "--op=add", "--cases=3", "--json", path), 0);
    expect_refused(path, "rounds_begun\": 1", "rounds_begun\": 0",
                   "does not say which seeds were run");
    temp_clean();
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Starts a run of hours in a child process. */
static pid_t start(const char *cases, const char *path)
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid != 0)
        return pid;
    signals_init("test");
    _exit(COMMAND(NULL, "--backend=scalar", "--op=add", "--cases", cases, "--for=8h", "--quiet",
                  "--json", path));
}

static void expect_interrupted(pid_t pid)
{
    int status;
    assert_int_equal(kill(pid, SIGTERM), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

/* On a signal the program writes the report, and then ends as if by that signal. */
TEST(a_signal_leaves_a_report)
{
    char path[PATH_BYTES];
    report_path(path, "ended.json");
    const pid_t pid = start("20", path);
    for (int i = 0; i < 6000 && access(path, F_OK) != 0; i++)
        sleep_ms(10);
    expect_interrupted(pid);
    conform_report r = read_report(path);
    assert_true(r.rounds_done >= 1 && cases_of(&r) >= 20);
    assert_int_equal(conform_report_is_conformant(&r), 1);
    conform_report_close(&r);
    temp_clean();
}

/* The report of an unfinished first round must not pass for a whole one. */
TEST(what_ends_in_its_first_round_is_not_conformant)
{
    char path[PATH_BYTES];
    report_path(path, "begun.json");
    /* On a busy machine the signal may come before the run has begun; then there is no report. */
    for (long ms = 500; ms < 30000 && access(path, F_OK) != 0; ms *= 2) {
        const pid_t pid = start("50000", path);
        sleep_ms(ms);
        expect_interrupted(pid);
    }
    conform_report r = read_report(path);
    assert_int_equal(r.rounds_begun, 1);
    assert_int_equal(r.rounds_done, 0);
    assert_int_equal(conform_report_is_conformant(&r), 0);
    assert_true(r.n_problems >= 1); /* the run may not have reached its first case */
    assert_string_equal(r.problems[0], "the run ended before its first round was over");
    conform_report_close(&r);
    temp_clean();
}
