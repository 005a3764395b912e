/*
 * What a process has that is not a backend's: read before and after it was at work. What must stay
 * as it was is told apart from what may grow once, but not from call to call.
 */
#ifndef CONFORM_PROCESS_STATE_H
#define CONFORM_PROCESS_STATE_H

#include <stddef.h>
#include <stdint.h>

/* X(NAME, what it is called in messages). Up to ALARM they stay from before a backend is loaded,
 * the others from when it is open. */
/* clang-format off */
#define PROCESS_FIXTURES(X)                                 \
    X(DIRECTORY, "the working directory")                   \
    X(UMASK, "the mask of file modes")                      \
    X(LOCALE, "the locale")                                 \
    X(BLOCKED, "the mask of blocked signals")               \
    X(STANDARD, "standard input, output or error")          \
    X(ALARM, "an alarm or interval timer")                  \
    X(SIGNALS, "what is done when a signal comes")          \
    X(ENVIRONMENT, "the environment")                       \
    X(LIMITS, "a resource limit")                           \
    X(PROCESSORS, "the processors its thread may run on")   \
    X(FLOATS, "how its thread rounds, or flushes")          \
    X(SIGNAL_STACK, "the stack for signals of its thread")  \
    X(THREAD_NAME, "the name of its thread")                \
    X(CHILDREN, "the processes it has started")

#define PROCESS_HOLDINGS(X)                                 \
    X(DESCRIPTORS, "an open descriptor")                    \
    X(THREADS, "a thread")                                  \
    X(MAPPED, "mapped memory")                              \
    X(HEAP, "allocated memory")                             \
    X(ASKED, "a request to the allocator")
/* clang-format on */

enum {
#define X(NAME, text) PROCESS_##NAME,
    PROCESS_FIXTURES(X)
#undef X
        PROCESS_N_FIXTURES,
    PROCESS_N_FROM_LOAD = PROCESS_SIGNALS
};

enum {
#define X(NAME, text) PROCESS_##NAME,
    PROCESS_HOLDINGS(X)
#undef X
        PROCESS_N_HOLDINGS
};

/* Values and hashes of them. */
typedef struct process_fixtures {
    uint64_t is[PROCESS_N_FIXTURES];
} process_fixtures;

/* How much of each; what the system does not tell is always 0. */
typedef struct process_holdings {
    int64_t n[PROCESS_N_HOLDINGS];
} process_holdings;

const char *process_fixture_name(int i);
const char *process_holding_name(int i);

/* Makes what a process has unlike what most have: who sets a thing back to the default shows, too. For
 * a process that does nothing but run a backend. */
void process_leave_defaults(void);

process_fixtures process_fixtures_now(void);
/* What the calling thread has for itself; the rest is 0. */
process_fixtures process_fixtures_of_thread(void);
/* The first of `n` that is not as it was; -1: all are. */
int process_fixtures_changed(const process_fixtures *before, const process_fixtures *now, int n);

/* Grows when there are more descriptors or threads, as far as the system tells that at once. */
int64_t process_holdings_hint(void);

/* Threads of the process; 0: unknown. */
int64_t process_threads(void);

/* Leaves nothing allocated itself. */
process_holdings process_holdings_now(void);

#endif
