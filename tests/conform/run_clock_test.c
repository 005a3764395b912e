#include "run_clock.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "spin.h"
#include "test.h"

static void sleep_for(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

/* Starts a process that sleeps, or one whose threads spin for ever. */
static pid_t start(int spins)
{
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        if (spins)
            spin_on_all((double)INFINITY);
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

/* Returns the share of the elapsed time that the process could have run. */
static double share_of(int spins)
{
    run_clock clock;
    const pid_t process = start(spins);
    sleep_for(0.2); /* until all threads have started */
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

TEST(a_process_that_sleeps_has_all_the_time_that_passes)
{
    const double share = share_of(0);
    assert_that(share > 0.95, "%.3f of the time", share);
}

/* There are eight threads for each processor, so a thread has about an eighth of the time, whatever else the machine
 * does. */
TEST(threads_without_a_processor_have_less)
{
    if (!is_told())
        skip();
    const double share = share_of(1);
    assert_that(share < 0.6, "%.3f of the time", share);
}

/* The wait ends at some time, however little processor time the process gets. */
TEST(time_is_over_when_it_was_had_or_a_hundred_times_as_much_has_passed)
{
    run_clock clock = {.process = -1, .begun = 0};
    run_clock_start(&clock, -1);
    assert_false(run_clock_is_over(&clock, 3600));
    clock.begun -= 10;
    assert_true(run_clock_is_over(&clock, 9));
    clock.waited = 9.5; /* of the ten seconds */
    assert_false(run_clock_is_over(&clock, 9));
    assert_true(run_clock_is_over(&clock, 0.09));
}

/* --- threads that hand each other the turn --- */

enum { RING = 4, TURN_NS = 20000000 };

static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ring_turned = PTHREAD_COND_INITIALIZER;
static int ring_turn;

static void run_for_a_turn(void)
{
    const clock_t end = clock() + CLOCKS_PER_SEC / 1000000000.0 * TURN_NS;
    while (clock() < end)
        ;
}

static void *take_turns(void *cookie)
{
    const int mine = *(const int *)cookie;
    for (;;) {
        pthread_mutex_lock(&ring_lock);
        while (ring_turn != mine)
            pthread_cond_wait(&ring_turned, &ring_lock);
        pthread_mutex_unlock(&ring_lock);
        run_for_a_turn();
        pthread_mutex_lock(&ring_lock);
        ring_turn = (ring_turn + 1) % RING;
        pthread_cond_broadcast(&ring_turned);
        pthread_mutex_unlock(&ring_lock);
    }
    return NULL;
}

static pid_t start_ring(void)
{
    static const int turns[RING] = {0, 1, 2, 3};
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        pthread_t thread;
        for (int i = 1; i < RING; i++)
            if (pthread_create(&thread, NULL, take_turns, (void *)(uintptr_t)&turns[i]) != 0)
                _exit(1);
        (void)take_turns((void *)(uintptr_t)&turns[0]);
    }
    return process;
}

/* Under load each of the threads waits for a processor when its turn comes, and none of them waits long. */
TEST(threads_that_wait_in_turns_have_less)
{
    if (!is_told())
        skip();
    run_clock clock;
    const pid_t others = start(1), process = start_ring();
    sleep_for(0.2);
    run_clock_start(&clock, process);
    for (int i = 0; i < 40; i++) {
        sleep_for(0.05);
        (void)run_clock_seconds(&clock);
    }
    const double had = run_clock_seconds(&clock), passed = run_clock_passed(&clock);
    end(process);
    end(others);
    assert_that(had < 0.6 * passed, "%.3f of %.3f s", had, passed);
}

/* A thread that always runs does not count as waiting. */
TEST(a_thread_that_runs_for_ever_has_its_time)
{
    run_clock clock = {.process = -1, .begun = 0};
    run_clock_start(&clock, -1);
    clock.busiest = 31;
    assert_true(run_clock_is_over(&clock, 10));
    assert_false(run_clock_is_over(&clock, 11));
}

TEST(what_cannot_be_asked_has_all_of_it)
{
    run_clock clock;
    const pid_t process = start(0);
    end(process);
    run_clock_start(&clock, process);
    sleep_for(0.05);
    const double had = run_clock_seconds(&clock), passed = run_clock_passed(&clock);
    assert_that(had > 0.049 && had <= passed, "%.3f of %.3f s", had, passed);
}
