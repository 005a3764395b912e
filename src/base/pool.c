/*
 * The pool. Each thread has a slot. The caller writes a job into the slot, then the job's ticket. The
 * thread or the caller takes the task by a compare-and-swap of the ticket back to 0; the caller waits
 * only for threads that took one. Tickets count up and are never reused, so if a thread is delayed
 * between reading a ticket and taking it, the swap fails unless the job is still the one it read.
 *
 * A thread that goes to sleep sets `asleep`, then checks its ticket once more. The caller writes the
 * ticket and reads `asleep` without a fence between them, which would cost every call a trip to the
 * other processor: at worst it misses a thread that is falling asleep, and runs the task itself.
 */
#include "pool.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include <inferno/clock.h>
#include <inferno/cpu.h>

#include "alloc_priv.h"
#include "fp_control.h"

/* A ticket that no job has. */
#define STOP UINT64_MAX

/* How long a thread spins before it sleeps; looking at the clock costs as much as many pauses. */
#define SPIN_NS          20000
#define PAUSES_PER_CLOCK 64

typedef struct job {
    void (*task)(void *cookie, int32_t i);
    void *cookie;
    uint64_t fp_control;
} job;

typedef struct slot {
    _Alignas(IFN_POOL_APART) _Atomic uint64_t ticket; /* of a task not taken yet; 0: none */
    _Atomic uint64_t done; /* ticket of the last task this thread has run */
    job job;
    _Alignas(IFN_POOL_APART) _Atomic int asleep;
    int32_t i;
    sem_t wake;
    pthread_t thread;
    struct ifn_pool *pool;
} slot;

struct ifn_pool {
    _Alignas(IFN_POOL_APART) _Atomic int busy; /* 1 while a caller runs tasks */
    uint64_t last_ticket;
    _Alignas(IFN_POOL_APART) _Atomic bool is_awaited; /* a caller sleeps until some task is done */
    sem_t done;
    const ifn_allocator *alloc;
    uint64_t spin_ns;
    int32_t n_slots, n_threads;
    pid_t process;
    slot slots[]; /* [n_slots]; the first stands for the caller and is not used */
};

static void pause_processor(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void sem_take(sem_t *sem)
{
    while (sem_wait(sem) != 0 && errno == EINTR)
        continue;
}

/* A store that no later load may overtake. It is an exchange, because qemu (7.2) reorders a sequentially
 * consistent store and load of 64-bit ARM: then threads wait for each other forever. */
#define store_then_load(word, value) ((void)atomic_exchange(word, value))

/* Spins for spin_ns at most, until *word is `value` (until_equal) or until it no longer is. Returns *word. */
static uint64_t spin(const _Atomic uint64_t *word, uint64_t value, bool until_equal,
                     uint64_t spin_ns)
{
    const uint64_t begin = spin_ns ? ifn_clock_ns() : 0;
    uint64_t now = atomic_load_explicit(word, memory_order_acquire);
    while ((now == value) != until_equal && spin_ns && ifn_clock_ns() - begin < spin_ns) {
        for (int i = 0; (now == value) != until_equal && i < PAUSES_PER_CLOCK; i++) {
            pause_processor();
            now = atomic_load_explicit(word, memory_order_acquire);
        }
    }
    return now;
}

/* --- the threads --- */

static void fall_asleep(slot *self)
{
    store_then_load(&self->asleep, 1);
    if (atomic_load(&self->ticket) == 0 || atomic_exchange(&self->asleep, 0) == 0)
        sem_take(&self->wake);
}

/* Waits for the next ticket. The caller may have taken it back by the time this returns. */
static uint64_t await_ticket(slot *self)
{
    for (;;) {
        const uint64_t ticket = spin(&self->ticket, 0, false, self->pool->spin_ns);
        if (ticket != 0)
            return ticket;
        fall_asleep(self);
    }
}

static bool take(slot *self, uint64_t ticket)
{
    return atomic_compare_exchange_strong(&self->ticket, &ticket, 0);
}

static void run_job(slot *self, uint64_t ticket)
{
    ifn_pool *const pool = self->pool;
    if (ifn_fp_control() != self->job.fp_control)
        ifn_fp_control_set(self->job.fp_control);
    self->job.task(self->job.cookie, self->i);
    store_then_load(&self->done, ticket);
    if (atomic_load(&pool->is_awaited) && atomic_exchange(&pool->is_awaited, false))
        sem_post(&pool->done);
}

static void *thread_main(void *argument)
{
    slot *const self = argument;
    for (uint64_t ticket; (ticket = await_ticket(self)) != STOP;)
        if (take(self, ticket))
            run_job(self, ticket);
    return NULL;
}

/* --- the caller --- */

static void wake(slot *self)
{
    if (atomic_load(&self->asleep) && atomic_exchange(&self->asleep, 0))
        sem_post(&self->wake);
}

static void offer(slot *self, const job *j, uint64_t ticket)
{
    self->job = *j;
    atomic_store_explicit(&self->ticket, ticket, memory_order_release);
    wake(self);
}

/* Waits until the thread of this slot has run the task. The semaphore may hold a post left over from an earlier
 * task that ended just as the caller stopped waiting, so `done` is checked again after each. */
static void await_done(ifn_pool *self, const slot *s, uint64_t ticket)
{
    if (spin(&s->done, ticket, true, self->spin_ns) == ticket)
        return;
    for (;;) {
        store_then_load(&self->is_awaited, true);
        if (atomic_load(&s->done) == ticket)
            break;
        sem_take(&self->done);
    }
    atomic_store(&self->is_awaited, false);
}

/* Runs the tasks that no thread has taken. */
static void run_what_is_left(ifn_pool *self, int32_t n, const job *j, uint64_t ticket)
{
    for (int32_t i = 1; i < n; i++) {
        slot *const s = &self->slots[i];
        if (!take(s, ticket))
            continue;
        j->task(j->cookie, i);
        atomic_store_explicit(&s->done, ticket, memory_order_relaxed);
    }
}

bool ifn_pool_run(ifn_pool *self, int32_t n, void (*task)(void *cookie, int32_t i), void *cookie)
{
    if (atomic_exchange_explicit(&self->busy, 1, memory_order_acquire))
        return false;
    const job j = {task, cookie, ifn_fp_control()};
    const uint64_t ticket = ++self->last_ticket;
    for (int32_t i = 1; i < n; i++)
        offer(&self->slots[i], &j, ticket);
    if (n > 0)
        task(cookie, 0);
    run_what_is_left(self, n, &j, ticket);
    for (int32_t i = 1; i < n; i++)
        await_done(self, &self->slots[i], ticket);
    atomic_store_explicit(&self->busy, 0, memory_order_release);
    return true;
}

int32_t ifn_pool_threads(const ifn_pool *self)
{
    return self->n_threads;
}

/* --- opening and closing --- */

static size_t bytes_of(int32_t n_threads)
{
    return sizeof(ifn_pool) + (size_t)n_threads * sizeof(slot);
}

/* Blocks all signals but those of a thread's own errors: blocked, they would end the process without a handler. */
static void block_signals(sigset_t *before)
{
    static const int own_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof own_signals / sizeof *own_signals; i++)
        sigdelset(&set, own_signals[i]);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

/* Starts threads until there are enough or the system refuses. */
static void start_threads(ifn_pool *self)
{
    sigset_t before;
    int failed = 0;
    block_signals(&before); /* threads inherit the mask */
    while (!failed && self->n_threads < self->n_slots) {
        slot *const s = &self->slots[self->n_threads];
        failed = pthread_create(&s->thread, NULL, thread_main, s) != 0;
        self->n_threads += !failed;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void init_slot(ifn_pool *self, int32_t i)
{
    slot *const s = &self->slots[i];
    *s = (slot){.i = i, .pool = self};
    sem_init(&s->wake, 0, 0);
}

ifn_status ifn_pool_open(int32_t n_threads, const ifn_allocator *alloc, ifn_pool **out,
                         ifn_error *err)
{
    *out = NULL;
    if (n_threads < 1 || n_threads > IFN_POOL_MAX_THREADS)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "pool: %d threads, expected 1 to %d", (int)n_threads,
                        IFN_POOL_MAX_THREADS);
    alloc = ifn_allocator_or_default(alloc);
    ifn_pool *const self = alloc->alloc(alloc->cookie, bytes_of(n_threads), IFN_POOL_APART);
    if (!self)
        return ifn_fail(err, IFN_ERR_NOMEM, "pool: out of memory for %d threads", (int)n_threads);
    *self = (ifn_pool){.alloc = alloc,
                       .spin_ns = n_threads <= ifn_cpu_count() ? SPIN_NS : 0,
                       .n_slots = n_threads,
                       .n_threads = 1,
                       .process = getpid()};
    sem_init(&self->done, 0, 0);
    for (int32_t i = 0; i < n_threads; i++)
        init_slot(self, i);
    start_threads(self);
    *out = self;
    return IFN_OK;
}

static void stop_threads(ifn_pool *self)
{
    for (int32_t i = 1; i < self->n_threads; i++) {
        store_then_load(&self->slots[i].ticket, STOP);
        wake(&self->slots[i]);
    }
    for (int32_t i = 1; i < self->n_threads; i++)
        pthread_join(self->slots[i].thread, NULL);
}

void ifn_pool_close(ifn_pool *self)
{
    if (!self)
        return;
    if (self->process == getpid())
        stop_threads(self);
    for (int32_t i = 0; i < self->n_slots; i++)
        sem_destroy(&self->slots[i].wake);
    sem_destroy(&self->done);
    self->alloc->free(self->alloc->cookie, self, bytes_of(self->n_slots));
}
