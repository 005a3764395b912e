#include "judge_stop.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <ucontext.h>

#include <inferno/clock.h>

/* For how long the stopped thread waits for the other, which may want what the first one holds. */
enum { LONG_NS = 100000000 };

/* A handler has no other way to know. */
static struct stop {
    void (*other)(void *cookie);
    void *cookie;
    pthread_t thread;
    sem_t begin;
    struct sigaction before;
    int left; /* instructions */
    bool is_stepping, has_begun;
    atomic_int is_done;
} now;

static void *run_other(void *cookie)
{
    while (sem_wait(&now.begin) != 0)
        continue;
    now.other(now.cookie);
    atomic_store(&now.is_done, 1);
    return cookie;
}

static void let_other_begin(void)
{
    if (!now.has_begun)
        sem_post(&now.begin);
    now.has_begun = true;
}

#if defined(__x86_64__)
enum { TRAP_FLAG = 0x100 };

bool judge_step(void *context, bool is_on)
{
    greg_t *const flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
    *flags = is_on ? *flags | TRAP_FLAG : *flags & ~(greg_t)TRAP_FLAG;
    return true;
}

bool judge_has_steps(void)
{
    return true;
}

void judge_trap(void)
{
    __asm__ volatile("int3");
}

bool judge_enters_system(const void *context)
{
    const greg_t next = ((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    const unsigned char *const code = (const unsigned char *)(uintptr_t)next;
    return code[0] == 0x0f && code[1] == 0x05;
}

static void wait_for_other(void)
{
    const struct timespec turn = {.tv_nsec = 20000};
    const uint64_t start = ifn_clock_ns();
    const int code = errno;
    let_other_begin();
    while (!atomic_load(&now.is_done) && ifn_clock_ns() - start < LONG_NS)
        (void)nanosleep(&turn, NULL);
    errno = code;
}

/* Of judge_stop_after, then of each step. */
static void on_trap(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    if (judge_enters_system(context))
        now.is_stepping = false;
    const bool is_over = now.is_stepping && now.left-- <= 0;
    now.is_stepping = now.is_stepping && !is_over;
    (void)judge_step(context, now.is_stepping);
    if (is_over)
        wait_for_other();
}

void judge_stop_after(int n_steps)
{
    if (now.has_begun)
        return;
    now.left = n_steps;
    now.is_stepping = true;
    raise(SIGTRAP);
}
#else
bool judge_step(void *context, bool is_on)
{
    (void)context;
    (void)is_on;
    return false;
}

bool judge_has_steps(void)
{
    return false;
}

void judge_trap(void) {}

bool judge_enters_system(const void *context)
{
    (void)context;
    return false;
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
}

void judge_stop_after(int n_steps)
{
    (void)n_steps;
    let_other_begin();
}
#endif

/* The other thread hears no signal. */
static bool start_other(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool is_started = pthread_create(&now.thread, NULL, run_other, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

bool judge_stop_open(void (*other)(void *cookie), void *cookie)
{
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_RESTART | SA_SIGINFO};
    now = (struct stop){.other = other, .cookie = cookie};
    sigemptyset(&action.sa_mask);
    if (sem_init(&now.begin, 0, 0) != 0)
        return false;
    if (start_other() && sigaction(SIGTRAP, &action, &now.before) == 0)
        return true;
    sem_destroy(&now.begin);
    return false;
}

void judge_stop_close(void)
{
    now.is_stepping = false;
    let_other_begin();
    pthread_join(now.thread, NULL);
    sigaction(SIGTRAP, &now.before, NULL);
    sem_destroy(&now.begin);
}
