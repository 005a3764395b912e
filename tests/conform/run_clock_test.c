#include "run_clock.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

static void sleep_for(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

static void *spin(void *unused)
{
    for (volatile int forever = 1; forever;)
        continue;
    return unused;
}

static void spin_on_threads(int n)
{
    pthread_t thread;
    for (int i = 1; i < n; i++)
        (void)pthread_create(&thread, NULL, spin, NULL);
    spin(NULL);
}

/* A process with so many threads that spin; none of them: it sleeps. */
static pid_t start(int n_threads)
{
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        if (n_threads)
            spin_on_threads(n_threads);
        for (;;)
            pause();
    }
    return process;
}

static void end(pid_t process)
{
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
}

static int is_told(void)
{
    return access("/proc/self/schedstat", R_OK) == 0;
}

/* Of the seconds that pass the share that was there for the process. */
static double share_of(int n_threads)
{
    run_clock clock;
    const pid_t process = start(n_threads);
    sleep_for(0.2); /* until all threads are there */
    run_clock_start(&clock, process);
    for (int i = 0; i < 10; i++) {
        sleep_for(0.1);
        (void)run_clock_seconds(&clock);
    }
    const double had = run_clock_seconds(&clock), passed = run_clock_passed(&clock);
    end(process);
    assert_true(passed >= 1);
    return had / passed;
}

static void a_process_that_sleeps_has_all_the_time_that_passes(void **state)
{
    (void)state;
    const double share = share_of(0);
    assert_that(share > 0.95, "%.3f of the time", share);
}

/* Four for each processor: a thread has a quarter, whatever else the machine does. */
static void threads_without_a_processor_have_less(void **state)
{
    (void)state;
    if (!is_told())
        skip();
    const double share = share_of(4 * (int)sysconf(_SC_NPROCESSORS_ONLN));
    assert_that(share < 0.6, "%.3f of the time", share);
}

static void what_cannot_be_asked_has_all_of_it(void **state)
{
    (void)state;
    run_clock clock;
    const pid_t process = start(0);
    end(process);
    run_clock_start(&clock, process);
    sleep_for(0.05);
    const double had = run_clock_seconds(&clock), passed = run_clock_passed(&clock);
    assert_that(had > 0.049 && had <= passed, "%.3f of %.3f s", had, passed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_process_that_sleeps_has_all_the_time_that_passes),
        RUN(threads_without_a_processor_have_less),
        RUN(what_cannot_be_asked_has_all_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
