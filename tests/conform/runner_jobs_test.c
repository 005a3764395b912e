#include "runner_jobs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "case_id.h"
#include "patience.h"
#include "test.h"

enum { MANY = 1200, FEW = 40 };

typedef struct record {
    int64_t n;
    conform_verdict verdicts[2][MANY];
    char ids[MANY][CONFORM_ID_BYTES];
} record;

static void note(void *cookie, const conform_case *c, int tested, const conform_verdict *v)
{
    record *const r = cookie;
    const int64_t i = r->n++ / 2;
    r->verdicts[tested][i] = *v;
    conform_case_id(c, r->ids[i]);
}

static conform_case cases[MANY];

/* Makes small and large cases in turn, so that no two processes take the same time; every 97th has m = 3. */
static void make_cases(void)
{
    for (int64_t i = 0; i < MANY; i++) {
        const int64_t k = i % 7 == 0 ? 60 : 4;
        cases[i] = bench_case(i % 97 == 50 ? 3 : 2, k, 4);
        cases[i].seed = (uint64_t)i;
    }
}

static void open_runner(conform_runner *r, const conform_tested *tested, int n_jobs)
{
    ifn_error err = {0};
    make_cases();
    *r = (conform_runner){
        .tested = tested, .n_tested = 2, .patience = patience_times(10), .n_jobs = n_jobs};
    assert_ok(conform_runner_open(r, &err), err);
}

static void run_on(const conform_tested *tested, int n_jobs, int64_t n, record *out)
{
    conform_runner r;
    ifn_error err = {0};
    memset(out, 0, sizeof *out);
    open_runner(&r, tested, n_jobs);
    assert_ok(conform_runner_run(&r, cases, n, note, out, &err), err);
    conform_runner_close(&r);
    assert_int_equal(out->n, 2 * n);
}

static void expect_same(const record *a, const record *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        assert_string_equal(a->ids[i], b->ids[i]);
        for (int s = 0; s < 2; s++) {
            const conform_verdict *const v = &a->verdicts[s][i], *const w = &b->verdicts[s][i];
            assert_int_equal(v->outcome, w->outcome);
            assert_int_equal(v->check, w->check);
            assert_int_equal(v->calls, w->calls);
            assert_int_equal(v->n_compared, w->n_compared);
            assert_memory_equal(&v->ratio, &w->ratio, sizeof v->ratio);
            assert_memory_equal(v->relations, w->relations, sizeof v->relations);
            assert_string_equal(v->detail, w->detail);
        }
    }
}

static record alone, together;

TEST(verdicts_and_their_order_do_not_depend_on_the_number_of_processes)
{
    const conform_tested tested[] = {tested_honest, tested_part_dependent};
    run_on(tested, 1, MANY, &alone);
    for (int n_jobs = 2; n_jobs <= 5; n_jobs++) {
        run_on(tested, n_jobs, MANY, &together);
        expect_same(&alone, &together, MANY);
    }
}

TEST(a_crash_is_charged_to_its_case)
{
    const conform_tested tested[] = {tested_honest, tested_crashes};
    run_on(tested, 3, MANY, &together);
    for (int64_t i = 0; i < MANY; i++) {
        assert_int_equal(together.verdicts[0][i].outcome, OUTCOME_PASS);
        assert_int_equal(together.verdicts[1][i].check, i % 97 == 50 ? CHECK_CRASH : CHECK_NONE);
    }
}

TEST(few_cases_start_no_process)
{
    conform_runner r = {.n_jobs = 4};
    assert_false(conform_jobs_are_worth_it(&r, FEW));
    assert_true(conform_jobs_are_worth_it(&r, MANY));
    r.in_process = 1;
    assert_false(conform_jobs_are_worth_it(&r, MANY));
    r = (conform_runner){.n_jobs = 1};
    assert_false(conform_jobs_are_worth_it(&r, MANY));
}

/* The backend can be opened as long as the file exists: in this process and by its first workers, and never again. */
static ifn_status open_a_few_times(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return access(self->cookie, F_OK) == 0
               ? tested_honest.open(&tested_honest, out, err)
               : ifn_fail(err, IFN_ERR_UNSUPPORTED, "the device has gone");
}

TEST(what_ends_a_process_that_makes_cases_ends_the_run)
{
    char path[] = "/tmp/runner-jobs-XXXXXX";
    const int fd = mkstemp(path);
    conform_tested tested[] = {tested_honest, {"lost", open_a_few_times, path}};
    conform_runner r;
    ifn_error err = {0};
    assert_true(fd >= 0);
    open_runner(&r, tested, 2);
    assert_int_equal(unlink(path), 0);
    r.fresh.n = 0;
    alone.n = 0;
    assert_int_equal(conform_jobs_run(&r, cases, MANY, note, &alone, &err), IFN_ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "the device has gone"));
    close(open(path, O_CREAT | O_WRONLY, 0600));
    alone.n = 0; /* the next run starts other processes */
    assert_ok(conform_jobs_run(&r, cases, MANY, note, &alone, &err), err);
    assert_int_equal(alone.n, 2 * MANY);
    conform_runner_close(&r);
    close(fd);
    unlink(path);
}

/* Opens the backend, and appends the id of the process to the file. */
static ifn_status open_and_say(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    const pid_t pid = getpid();
    FILE *const said = fopen(self->cookie, "a");
    assert_non_null(said);
    fwrite(&pid, sizeof pid, 1, said);
    fclose(said);
    return tested_honest.open(&tested_honest, out, err);
}

/* Returns how many processes have opened the backend. */
static int openers(const char *path)
{
    enum { MOST = 16 };
    pid_t seen[MOST], pid;
    int n = 0;
    FILE *const said = fopen(path, "r");
    assert_non_null(said);
    while (fread(&pid, sizeof pid, 1, said) == 1) {
        int i = 0;
        while (i < n && seen[i] != pid)
            i++;
        assert_true(i < MOST);
        seen[i] = pid;
        n += i == n;
    }
    fclose(said);
    return n;
}

TEST(one_run_after_the_other_is_by_the_same_processes)
{
    char path[] = "/tmp/runner-jobs-XXXXXX";
    const int fd = mkstemp(path);
    conform_tested tested[] = {tested_honest, {"counted", open_and_say, path}};
    conform_runner r;
    ifn_error err = {0};
    open_runner(&r, tested, 2);
    r.fresh.n = 0;
    for (int64_t n = MANY; n > MANY / 4; n -= 77) {
        together.n = 0;
        assert_ok(conform_jobs_run(&r, cases + MANY - n, n, note, &together, &err), err);
        assert_int_equal(together.n, 2 * n);
        for (int64_t i = 0; i < n; i++) {
            char id[CONFORM_ID_BYTES];
            conform_case_id(&cases[MANY - n + i], id);
            assert_string_equal(together.ids[i], id);
            assert_int_equal(together.verdicts[1][i].outcome, OUTCOME_PASS);
        }
    }
    conform_runner_close(&r);
    assert_int_equal(openers(path),
                     1 + 2); /* the runner's own worker, and the workers of two processes */
    close(fd);
    unlink(path);
}

static void count_times(void *cookie)
{
    ++*(int *)cookie;
}

TEST(there_is_one_look_ahead_in_each_run)
{
    const conform_tested tested[] = {tested_honest, tested_honest};
    conform_runner r;
    ifn_error err = {0};
    int n = 0;
    open_runner(&r, tested, 2);
    r.look_ahead = count_times;
    r.ahead_cookie = &n;
    for (int run = 1; run <= 3; run++) {
        together.n = 0;
        assert_ok(conform_jobs_run(&r, cases, MANY, note, &together, &err), err);
        assert_int_equal(n, run);
    }
    conform_runner_close(&r);
}

static bool after_a_hundred(void *cookie)
{
    return ((const record *)cookie)->n >= 200;
}

TEST(a_run_that_is_over_tells_of_what_it_has_begun)
{
    const conform_tested tested[] = {tested_honest, tested_honest};
    conform_runner r;
    ifn_error err = {0};
    together.n = 0;
    open_runner(&r, tested, 2);
    r.is_over = after_a_hundred;
    r.over_cookie = &together;
    assert_ok(conform_runner_run(&r, cases, MANY, note, &together, &err), err);
    assert_in_range(together.n, 200, 2 * MANY - 1);
    for (int64_t i = 0; i < together.n / 2; i++)
        assert_int_equal(together.verdicts[1][i].outcome, OUTCOME_PASS);
    r.is_over = NULL; /* the unfinished cases do not disturb the next run */
    together.n = 0;
    assert_ok(conform_runner_run(&r, cases, MANY, note, &together, &err), err);
    conform_runner_close(&r);
    assert_int_equal(together.n, 2 * MANY);
}

/* The cases that the look-ahead announces. */
typedef struct announced {
    conform_runner *runner;
    int64_t at, n;
} announced;

static void announce(void *cookie)
{
    const announced *const a = cookie;
    conform_runner_announce(a->runner, cases + a->at, a->n);
}

/* Compares the verdicts of all cases, except for what depends on which process judged what before. */
static void expect_same_outcomes(const record *a, const record *b)
{
    for (int64_t i = 0; i < MANY; i++) {
        assert_string_equal(a->ids[i], b->ids[i]);
        for (int s = 0; s < 2; s++) {
            assert_int_equal(a->verdicts[s][i].outcome, b->verdicts[s][i].outcome);
            assert_string_equal(a->verdicts[s][i].detail, b->verdicts[s][i].detail);
        }
    }
}

/* The second half of the cases follows the first, whether announced or not: the verdicts are those of one process. */
TEST(an_announced_run_is_told_as_any)
{
    enum { HALF = MANY / 2 };
    const announced ahead[] = {
        {.at = HALF, .n = HALF}, {.at = 0, .n = HALF}, {.at = HALF, .n = 70}};
    const conform_tested tested[] = {tested_honest, tested_part_dependent};
    conform_runner r;
    ifn_error err = {0};
    run_on(tested, 1, MANY, &alone);
    for (size_t i = 0; i < N_OF(ahead); i++) {
        announced a = ahead[i];
        open_runner(&r, tested, 2);
        a.runner = &r;
        for (int round = 0; round < 3;
             round++) { /* so many rounds that the slots of pieces are used again */
            memset(&together, 0, sizeof together);
            r.look_ahead = announce;
            r.ahead_cookie = &a;
            assert_ok(conform_runner_run(&r, cases, HALF, note, &together, &err), err);
            r.look_ahead = NULL;
            assert_ok(conform_runner_run(&r, cases + HALF, HALF, note, &together, &err), err);
            assert_int_equal(together.n, 2 * MANY);
            expect_same_outcomes(&alone, &together);
        }
        conform_runner_close(&r);
    }
}

/* The announced cases are begun, and then never run: the runner stops all the same. */
TEST(an_announced_run_may_never_come)
{
    const conform_tested tested[] = {tested_honest, tested_honest};
    conform_runner r;
    ifn_error err = {0};
    announced a = {&r, 0, MANY};
    open_runner(&r, tested, 2);
    r.look_ahead = announce;
    r.ahead_cookie = &a;
    for (int run = 0; run < 2; run++) { /* the second, which the first announced, is over soon */
        together.n = 0;
        r.is_over = run ? after_a_hundred : NULL;
        r.over_cookie = &together;
        assert_ok(conform_runner_run(&r, cases, MANY, note, &together, &err), err);
        assert_in_range(together.n, 200, 2 * MANY);
    }
    conform_runner_close(&r);
}
