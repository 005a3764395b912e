#define _XOPEN_SOURCE 700
#include "process_state.h"

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

static const struct {
    int fixture;
    void (*change)(void);
} changes[] = {{PROCESS_DIRECTORY, change_directory}, {PROCESS_UMASK, change_umask},
               {PROCESS_LOCALE, change_locale},       {PROCESS_BLOCKED, block_signal},
               {PROCESS_STANDARD, close_input},       {PROCESS_ALARM, set_alarm},
               {PROCESS_SIGNALS, ignore_signal},      {PROCESS_ENVIRONMENT, set_variable},
               {PROCESS_LIMITS, set_limit},           {PROCESS_CHILDREN, leave_child}};

/* Each in a process of its own; the status is what has changed. */
static int changed_by(void (*change)(void))
{
    int status;
    const pid_t pid = fork();
    if (pid == 0) {
        const process_fixtures before = process_fixtures_now();
        change();
        const process_fixtures now = process_fixtures_now();
        _exit(process_fixtures_changed(&before, &now, PROCESS_N_FIXTURES));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return (signed char)WEXITSTATUS(status);
}

/* There and back again is no change. */
static void nothing(void)
{
    struct sigaction own = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGURG, &own, &before);
    sigaction(SIGURG, &before, NULL);
}

/* As renice does from outside, while a run is under way: no backend is accused of it. */
static void be_nicer(void)
{
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 1);
}

TEST(every_change_is_seen_as_what_it_is)
{
    assert_int_equal(N_OF(changes), PROCESS_N_FIXTURES);
    assert_int_equal(changed_by(nothing), -1);
    assert_int_equal(changed_by(be_nicer), -1);
    for (size_t i = 0; i < N_OF(changes); i++)
        assert_that(changed_by(changes[i].change) == changes[i].fixture, "%s",
                    process_fixture_name(changes[i].fixture));
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
