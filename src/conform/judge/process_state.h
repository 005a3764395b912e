/*
 * The state of the process that a backend must leave alone, read before and after the backend worked. Fixtures must
 * stay as they were. Holdings may grow once, but not from call to call.
 */
#ifndef CONFORM_PROCESS_STATE_H
#define CONFORM_PROCESS_STATE_H

#include <stddef.h>
#include <stdint.h>

/* X(NAME, its name in messages). Fixtures up to ALARM must be the same since before the backend was loaded, the others
 * since it was opened. */
/* clang-format off */
#define PROCESS_FIXTURES(X)                                 \
    X(DIRECTORY, "the working directory")                   \
    X(UMASK, "the mask of file modes")                      \
    X(LOCALE, "the locale")                                 \
    X(BLOCKED, "the mask of blocked signals")               \
    X(STANDARD, "standard input, output or error")          \
    X(OTHERS, "a descriptor that it has not opened")        \
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

/* Values, or hashes of values. */
typedef struct process_fixtures {
    uint64_t is[PROCESS_N_FIXTURES];
} process_fixtures;

/* An amount of each; 0 if the system does not tell. */
typedef struct process_holdings {
    int64_t n[PROCESS_N_HOLDINGS];
} process_holdings;

const char *process_fixture_name(int i);
const char *process_holding_name(int i);

/* Sets the process's state to unusual values, so that a backend which resets something to the default is noticed. For a
 * process that does nothing but run a backend. */
void process_leave_defaults(void);

process_fixtures process_fixtures_now(void);
/* The fixtures of the calling thread alone; the rest is 0. */
process_fixtures process_fixtures_of_thread(void);
/* The first of the first `n` fixtures that has changed; -1: none has. */
int process_fixtures_changed(const process_fixtures *before, const process_fixtures *now, int n);

/* A sum that grows with the number of descriptors and threads, where the system tells them without listing each. */
int64_t process_holdings_hint(void);

/* Threads of the process; 0: unknown. */
int64_t process_threads(void);

/* The current holdings. The function itself leaves nothing allocated. */
process_holdings process_holdings_now(void);

#endif
