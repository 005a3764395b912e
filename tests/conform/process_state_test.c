#define _GNU_SOURCE
#include "process_state.h"

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "float_control.h"
#include "test.h"

static void change_directory(void)
{
    assert_int_equal(chdir("/"), 0);
}

static void change_umask(void)
{
    umask(umask(0) ^ 7);
}

static void change_locale(void)
{
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
}

static void block_signal(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static void close_input(void)
{
    close(STDIN_FILENO);
}

static void set_alarm(void)
{
    alarm(1000);
}

static void ignore_signal(void)
{
    signal(SIGUSR1, SIG_IGN);
}

static void set_variable(void)
{
    setenv("IFN_TEST_OF_STATE", "1", 1);
}

static void set_limit(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur--;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void leave_child(void)
{
    if (fork() == 0)
        _exit(0);
}

static void stay_here(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void round_otherwise(void)
{
    conform_set_float_control(conform_float_control_other(conform_float_control(), 1));
}

static void take_stack(void)
{
    static char room[1 << 16];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    sigaltstack(&stack, NULL);
}

static void take_name(void)
{
    prctl(PR_SET_NAME, "another");
}

/* Closes what it has not opened, of the descriptors that the process has from process_leave_defaults. */
static void close_others(void)
{
    for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
        close(fd);
}

static const struct {
    int fixture;
    void (*change)(void);
} changes[] = {{PROCESS_DIRECTORY, change_directory}, {PROCESS_UMASK, change_umask},
               {PROCESS_LOCALE, change_locale},       {PROCESS_BLOCKED, block_signal},
               {PROCESS_STANDARD, close_input},       {PROCESS_ALARM, set_alarm},
               {PROCESS_SIGNALS, ignore_signal},      {PROCESS_ENVIRONMENT, set_variable},
               {PROCESS_LIMITS, set_limit},           {PROCESS_PROCESSORS, stay_here},
               {PROCESS_FLOATS, round_otherwise},     {PROCESS_SIGNAL_STACK, take_stack},
               {PROCESS_THREAD_NAME, take_name},      {PROCESS_CHILDREN, leave_child},
               {PROCESS_OTHERS, close_others}};

/* Changes a handler and restores it, which counts as no change. */
static void nothing(void)
{
    struct sigaction own = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGURG, &own, &before);
    sigaction(SIGURG, &before, NULL);
}

/* Runs each change in a child process; returns what has changed, which is the child's status. */
static int changed_after(void (*begin)(void), void (*change)(void))
{
    int status;
    const pid_t pid = fork();
    if (pid == 0) {
        begin();
        const process_fixtures before = process_fixtures_now();
        change();
        const process_fixtures now = process_fixtures_now();
        _exit(process_fixtures_changed(&before, &now, PROCESS_N_FIXTURES));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return (signed char)WEXITSTATUS(status);
}

/* Changes the priority, as renice may do from outside during a run: no backend is blamed for it. */
static void be_nicer(void)
{
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 1);
}

static int has_one_processor(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) == 1;
}

/* Restores the locale that most processes have. */
static void default_locale(void)
{
    setlocale(LC_ALL, "C");
}

static void unblock(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_UNBLOCK, &all, NULL);
}

static void default_umask(void)
{
    umask(022);
}

static void no_alarm(void)
{
    alarm(0);
}

static void default_action(void)
{
    signal(SIGUSR1, SIG_DFL);
}

TEST(the_way_back_to_a_default_is_a_change)
{
    if (setlocale(LC_CTYPE, "C.UTF-8")) {
        setlocale(LC_CTYPE, "C");
        assert_int_equal(changed_after(process_leave_defaults, default_locale), PROCESS_LOCALE);
    }
    assert_int_equal(changed_after(process_leave_defaults, unblock), PROCESS_BLOCKED);
    assert_int_equal(changed_after(process_leave_defaults, default_umask), PROCESS_UMASK);
    assert_int_equal(changed_after(process_leave_defaults, no_alarm), PROCESS_ALARM);
    assert_int_equal(changed_after(process_leave_defaults, set_alarm), PROCESS_ALARM);
    assert_int_equal(changed_after(process_leave_defaults, default_action), PROCESS_SIGNALS);
    assert_int_equal(changed_after(process_leave_defaults, nothing), -1);
}

TEST(what_a_thread_has_is_told_apart)
{
    const process_fixtures before = process_fixtures_of_thread();
    const mode_t mask = umask(0137);
    process_fixtures now = process_fixtures_of_thread();
    umask(mask);
    assert_int_equal(process_fixtures_changed(&before, &now, PROCESS_N_FIXTURES), -1);
    const uint64_t control = conform_float_control();
    round_otherwise();
    now = process_fixtures_of_thread();
    conform_set_float_control(control);
    assert_int_equal(process_fixtures_changed(&before, &now, PROCESS_N_FIXTURES), PROCESS_FLOATS);
}

TEST(every_change_is_seen_as_what_it_is)
{
    assert_int_equal(N_OF(changes), PROCESS_N_FIXTURES);
    assert_int_equal(changed_after(nothing, nothing), -1);
    assert_int_equal(changed_after(nothing, be_nicer), -1);
    for (size_t i = 0; i < N_OF(changes); i++) {
        const int fixture = changes[i].fixture;
        void (*const begin)(void) = fixture == PROCESS_OTHERS ? process_leave_defaults : nothing;
        assert_that((fixture == PROCESS_PROCESSORS && has_one_processor()) ||
                        changed_after(begin, changes[i].change) == fixture,
                    "%s", process_fixture_name(fixture));
    }
}

static process_holdings before;

static int64_t grown(int holding)
{
    const process_holdings now = process_holdings_now();
    return now.n[holding] - before.n[holding];
}

static void *sleep_long(void *cookie)
{
    const struct timespec second = {.tv_sec = 1};
    nanosleep(&second, NULL);
    return cookie;
}

TEST(what_is_held_is_counted)
{
    pthread_t thread;
    before = process_holdings_now();
    for (int i = 0; i < PROCESS_N_HOLDINGS; i++)
        assert_that(grown(i) == 0, "%s", process_holding_name(i));
    const int fd = open("/dev/null", O_RDONLY);
    assert_int_equal(grown(PROCESS_DESCRIPTORS), 1);
    close(fd);
    assert_int_equal(pthread_create(&thread, NULL, sleep_long, NULL), 0);
    assert_int_equal(grown(PROCESS_THREADS), 1);
#ifndef __SANITIZE_ADDRESS__
    assert_true(grown(PROCESS_MAPPED) > 0);
#endif
    pthread_join(thread, NULL);
    assert_int_equal(grown(PROCESS_THREADS), 0);
#ifndef __SANITIZE_ADDRESS__
    char *volatile p = malloc(1000);
    assert_true(grown(PROCESS_HEAP) >= 1000);
    free(p);
#endif
}
