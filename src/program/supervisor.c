#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "messages.h"
#include "seconds.h"
#include "zero_map.h"

enum { WORD_BYTES = 32, LOAD_SECONDS = 60, OP_SECONDS = 1800, MOST_SECONDS = 1 << 20 };

/* The state in memory that parent and child share. `where` and `op` point to static text, which has the same
 * address in both processes; one thread writes `where`. */
typedef struct shared_state {
    _Atomic(const char *) where; /* NULL: no code of the plugin is running outside ops */
    _Atomic(const char *) op;    /* the op entered last */
    atomic_int n_ops;            /* op calls that are running */
    atomic_uint n_calls;         /* op calls so far, modulo 2^32 */
    atomic_int has_limit, is_done, has_closed;
} shared_state;

static shared_state *shared; /* NULL: there is no supervisor */
static pid_t self;           /* the child */

/* Ends a process that the plugin has forked and that returned into the program: it would run the rest a second
 * time. */
static void end_twins(void)
{
    if (getpid() != self)
        _exit(EXIT_NO);
}

void supervisor_enter(const char *where, bool has_limit)
{
    if (!shared)
        return;
    atomic_store(&shared->where, where);
    atomic_store(&shared->has_limit, has_limit);
}

void supervisor_leave(void)
{
    if (!shared)
        return;
    end_twins();
    atomic_store(&shared->has_limit, 0);
    atomic_store(&shared->where, NULL);
}

void supervisor_enter_op(const char *name)
{
    if (!shared)
        return;
    atomic_store_explicit(&shared->op, name, memory_order_relaxed);
    atomic_fetch_add_explicit(&shared->n_calls, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&shared->n_ops, 1, memory_order_relaxed);
}

void supervisor_leave_op(void)
{
    if (!shared)
        return;
    end_twins();
    atomic_fetch_sub_explicit(&shared->n_ops, 1, memory_order_relaxed);
}

static bool is_closed(int fd)
{
    return fcntl(fd, F_GETFD) < 0;
}

void supervisor_done(void)
{
    if (!shared)
        return;
    const int code = errno;
    atomic_store(&shared->has_closed, is_closed(STDOUT_FILENO) || is_closed(STDERR_FILENO));
    atomic_store(&shared->is_done, 1);
    errno = code;
}

/* --- the parent --- */

static volatile sig_atomic_t child_pid, was_told;

static void hand_on(int number)
{
    const int code = errno;
    was_told = 1;
    if (child_pid > 0)
        kill((pid_t)child_pid, number);
    errno = code;
}

/* Passes signals on to the child. A signal that is ignored stays ignored in both processes. */
static void hand_on_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action = {.sa_handler = hand_on}, before;
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &action, NULL);
    }
}

/* A time limit, which the environment variable may change. */
typedef struct limit {
    const char *variable;
    double seconds;
    double waited;
} limit;

static limit limit_of(const char *variable, double usual)
{
    const char *const text = getenv(variable);
    const double seconds = text ? strtod(text, NULL) : usual;
    return (limit){variable, seconds > 0 && seconds <= MOST_SECONDS ? seconds : usual, 0};
}

/* Adds `step` seconds to the time waited or, if the work does not go on, resets it. Returns 1 beyond the limit. */
static int waits(limit *l, int goes_on, double step)
{
    l->waited = goes_on ? l->waited + step : 0;
    return l->waited > l->seconds;
}

/* Waits until the child has ended and returns NULL, or until loading or an op takes too long and returns that
 * limit. SIGCHLD is blocked, so none is missed. A turn counts for at most a second: it takes longer if both
 * processes were stopped. */
static const limit *wait_for_end(pid_t pid, int *status, limit *load, limit *op)
{
    const double most_of_a_turn = 1;
    const struct timespec turn = {.tv_nsec = 200000000};
    double last = seconds_now();
    unsigned seen = 0;
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    for (;;) {
        if (child_has_ended(pid, status))
            return NULL;
        const double t = seconds_now(),
                     step = t - last < most_of_a_turn ? t - last : most_of_a_turn;
        const unsigned n_calls = atomic_load(&shared->n_calls);
        if (waits(load, atomic_load(&shared->has_limit), step))
            return load;
        if (waits(op, atomic_load(&shared->n_ops) > 0 && n_calls == seen, step))
            return op;
        last = t;
        seen = n_calls;
        (void)sigtimedwait(&child, NULL, &turn);
    }
}

/* Where the plugin was: "in rms_norm"; NULL: none of its code was running. */
static const char *place(char room[WORD_BYTES + 4])
{
    const char *const op = atomic_load(&shared->op), *const where = atomic_load(&shared->where);
    if (atomic_load(&shared->n_ops) > 0 && op) {
        snprintf(room, WORD_BYTES + 4, "in %.*s", WORD_BYTES, op);
        return room;
    }
    return where;
}

/* Ends this process by the child's signal, so that a shell shows the same. Writes no core file: the child has. */
static int die_by(int number)
{
    const struct rlimit none = {0, 0};
    sigset_t only;
    (void)setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    return EXIT_NO;
}

static int tell_death(const char *program, const char *plugin, int number, const char *where)
{
    if (where && !was_told)
        message_note(program, "plugin '%s': ended by signal %d (%s) %s", plugin, number,
                     strsignal(number), where);
    return die_by(number);
}

static int tell_end(const char *program, const char *plugin, int status)
{
    char room[WORD_BYTES + 4];
    const bool is_done = atomic_load(&shared->is_done);
    const char *const where = is_done ? "when everything was done" : place(room);
    if (WIFSIGNALED(status))
        return tell_death(program, plugin, WTERMSIG(status), where);
    if (is_done && !atomic_load(&shared->has_closed))
        return WEXITSTATUS(status);
    if (is_done) {
        message_note(program, "plugin '%s': has closed standard output or error", plugin);
        return EXIT_NO;
    }
    message_note(program, "plugin '%s': ended the program with status %d %s, expected it to return",
                 plugin, WEXITSTATUS(status), where ? where : "between its ops");
    return EXIT_NO;
}

static int watch(const char *program, const char *plugin, pid_t pid)
{
    limit load = limit_of("INFERNO_LOAD_SECONDS", LOAD_SECONDS),
          op = limit_of("INFERNO_OP_SECONDS", OP_SECONDS);
    char room[WORD_BYTES + 4];
    int status = 0;
    child_pid = pid;
    const limit *const hung = wait_for_end(pid, &status, &load, &op);
    if (!hung)
        return tell_end(program, plugin, status);
    const char *const where = place(room);
    kill(pid, SIGKILL);
    (void)child_wait(pid);
    message_note(program, "plugin '%s': hung %s: not done within %.0f s (%s)", plugin,
                 where ? where : "while it was loaded", hung->seconds, hung->variable);
    return EXIT_NO;
}

int supervisor_run(const char *program, const char *plugin, supervised_main *run, int argc,
                   char **argv)
{
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    shared = zero_map(sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED);
    sigprocmask(SIG_BLOCK, &child, &before);
    const pid_t pid = shared ? child_fork() : -1;
    if (pid > 0) {
        hand_on_signals();
        return watch(program, plugin, pid);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid < 0)
        shared = NULL;
    self = getpid();
    return run(argc, argv);
}
