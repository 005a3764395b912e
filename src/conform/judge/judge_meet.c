#include "judge_meet.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <inferno/clock.h>

#include "judge_run.h"
#include "judge_step.h"

/* If the timer's signal comes between two calls, the timer is set again, to AGAIN_NS. Calls are repeated for LONGEST_NS
 * at most. The clock is read every CALLS_A_CLOCK calls only: reading it takes longer than a short call, and the signal
 * would mostly come there. */
enum { AGAIN_NS = 10000, LONGEST_NS = 64000000, CALLS_A_CLOCK = 16 };
/* The least time that the first call waits: on a busy machine the other takes a while to begin. */
enum { SHORT_US = 500 };
/* The most writes that are counted, at ten microseconds each. */
enum { MOST_WRITES = 1024 };

/* The state of the meeting; global, because a signal handler gets no cookie. */
static struct meet {
    judge_meeting with;
    pid_t process;
    int64_t wait_us; /* the current limit: halved each time the other does not answer */
    pthread_t thread, first;
    timer_t timer;
    sem_t is_stopped;
    atomic_int *mark; /* 1; 0 in a forked child; NULL: unknown */
    atomic_int is_inside, is_missed, is_over, n_stops, n_done;
    atomic_int n_steps; /* instructions that the first call still executes before it stops */
    ifn_status status;  /* what the other returned */
    const write_trap *watched;
    int n_writes, stops_at_write; /* writes seen, and the one that stops the first call */
    bool is_over_write;           /* the caught write is being executed as a single step */
    struct sigaction before_timer, before_steps, before_write;
} meet;

static bool is_answered(int want)
{
    return atomic_load(&meet.n_done) >= want;
}

/* Stops the first call: in its thread, lets the other run and waits for it. */
static void stop(void)
{
    const struct timespec turn = {.tv_nsec = 20000};
    const uint64_t start = ifn_clock_ns();
    const int code = errno, want = atomic_fetch_add(&meet.n_stops, 1) + 1;
    sem_post(&meet.is_stopped);
    while (!is_answered(want) && ifn_clock_ns() - start < (uint64_t)meet.wait_us * 1000)
        (void)nanosleep(&turn, NULL);
    const int64_t less = meet.wait_us / 2 < SHORT_US ? SHORT_US : meet.wait_us / 2;
    meet.wait_us = is_answered(want) ? meet.with.wait_us : less;
    errno = code;
}

static void set_timer(int64_t ns)
{
    const struct itimerspec once = {.it_value = {.tv_nsec = (long)ns}};
    (void)timer_settime(meet.timer, 0, &once, NULL);
}

/* Sets the timer again if its signal came outside a call. On some machines setting a timer takes longer than a short
 * time-out: each retry doubles it. */
static void set_timer_again(void)
{
    for (int64_t ns = AGAIN_NS; ns < LONGEST_NS && atomic_load(&meet.is_missed); ns *= 2) {
        atomic_store(&meet.is_missed, 0);
        set_timer(ns);
    }
}

/*
 * The handler of the timer, then of each step. A timer's signal comes where the processor waits, which is mostly
 * between a load and the store that depends on it: a sum kept in memory would then always be written over what the
 * other call has left there. So the first call goes on for a few instructions, one by one, and is stopped at any of
 * them.
 */
static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)info;
    if (!atomic_load(&meet.is_inside)) {
        (void)judge_step(context, false);
        atomic_store(&meet.is_missed, 1);
        return;
    }
    if (meet.is_over_write) {
        meet.is_over_write = false;
        (void)judge_step(context, false);
        write_trap_set(meet.watched, true);
        return;
    }
    const int left =
        judge_enters_system(context) ? 0 : atomic_load(&meet.n_steps) - (number == SIGTRAP);
    atomic_store(&meet.n_steps, judge_step(context, left > 0) ? left : 0);
    if (atomic_load(&meet.n_steps) <= 0)
        stop();
}

/* The handler of SIGSEGV. It lets a watched write happen as a single step; the first call then goes on to the next
 * write or is stopped after this one. For any other access it restores the previous handler, which gets the same signal
 * when the access is repeated. */
static void on_write(int number, siginfo_t *info, void *context)
{
    (void)number;
    const bool is_ours = meet.watched && write_trap_has(meet.watched, (uintptr_t)info->si_addr);
    if (!is_ours)
        (void)sigaction(SIGSEGV, &meet.before_write, NULL);
    if (meet.watched)
        write_trap_set(meet.watched, false);
    if (!is_ours || !pthread_equal(pthread_self(), meet.first))
        return;
    meet.n_writes++;
    if (meet.n_writes == meet.stops_at_write) /* the write itself is the first step */
        (void)judge_step(context, true);
    else if (meet.n_writes < MOST_WRITES)
        meet.is_over_write = judge_step(context, true);
}

static void *run_other(void *cookie)
{
    for (;;) {
        while (sem_wait(&meet.is_stopped) != 0)
            continue;
        if (atomic_load(&meet.is_over))
            return cookie;
        const ifn_status status = meet.with.other(meet.with.cookie);
        judge_end_twin(meet.process);
        if (status != IFN_OK)
            meet.status = status;
        atomic_fetch_add(&meet.n_done, 1);
    }
}

/* Starts the other thread with all signals blocked but those of its own errors: the timer's are for the first call. */
static bool start_other(void)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    sigset_t most, before;
    sigfillset(&most);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&most, own[i]);
    if (sem_init(&meet.is_stopped, 0, 0) != 0)
        return false;
    pthread_sigmask(SIG_SETMASK, &most, &before);
    const bool started = pthread_create(&meet.thread, NULL, run_other, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!started)
        sem_destroy(&meet.is_stopped);
    return started;
}

static void end_other(void)
{
    atomic_store(&meet.is_over, 1);
    sem_post(&meet.is_stopped);
    pthread_join(meet.thread, NULL);
    sem_destroy(&meet.is_stopped);
}

/* Older versions of the GNU C library have the field under this name alone. */
#if defined(__linux__) && !defined(sigev_notify_thread_id)
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* Addresses the timer's signal to this thread: a signal to the process may go to a thread of the backend. */
static struct sigevent signal_to_this_thread(int number)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
#ifdef __linux__
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_notify_thread_id = gettid();
#endif
    return event;
}

/* Makes a mark in a page that is zero in a forked child (MADV_WIPEONFORK). */
static atomic_int *make_mark(void)
{
#ifdef MADV_WIPEONFORK
    atomic_int *const mark =
        mmap(NULL, sizeof *mark, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mark == MAP_FAILED)
        return NULL;
    if (madvise(mark, sizeof *mark, MADV_WIPEONFORK) == 0) {
        atomic_store(mark, 1);
        return mark;
    }
    munmap(mark, sizeof *mark);
#endif
    return NULL;
}

/* Ends a forked child after a call. Calls getpid only if the mark does not tell: getpid takes longer than a short call,
 * and the signal would come there nearly always. */
static void end_twin(void)
{
    if (!meet.mark || atomic_load(meet.mark) == 0)
        judge_end_twin(meet.process);
}

static void set_handlers(void)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTRAP, &action, &meet.before_steps);
    sigaction(SIGURG, &action, &meet.before_timer);
}

bool judge_meet_open(const judge_meeting *meeting)
{
    struct sigevent event = signal_to_this_thread(SIGURG);
    meet = (struct meet){.with = *meeting,
                         .process = getpid(),
                         .wait_us = meeting->wait_us,
                         .first = pthread_self()};
    if (timer_create(CLOCK_MONOTONIC, &event, &meet.timer) != 0)
        return false;
    if (!start_other()) {
        timer_delete(meet.timer);
        return false;
    }
    meet.mark = make_mark();
    set_handlers();
    return true;
}

void judge_meet_close(void)
{
    end_other();
    if (meet.mark)
        munmap(meet.mark, sizeof *meet.mark);
    timer_delete(meet.timer);
    sigaction(SIGURG, &meet.before_timer, NULL);
    sigaction(SIGTRAP, &meet.before_steps, NULL);
}

/* Starts the watch or the steps as late as possible, just before the first call, so that they do not stop the judge. */
static void begin(const judge_stop_at *at)
{
    if (at->watched)
        write_trap_set(at->watched, true);
    else if (at->ns == 0)
        judge_trap();
}

/* Sets is_inside for the signal handler, which runs on this thread: compiler fences suffice. */
static void set_inside(int is_inside)
{
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&meet.is_inside, is_inside, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
}

static void go_in(const judge_stop_at *at)
{
    set_inside(1);
    begin(at);
}

static void come_out(void)
{
    set_inside(0);
    if (meet.watched)
        write_trap_set(meet.watched, false);
}

static ifn_status call_once(ifn_backend *backend, conform_op_fn call, ifn_args *first,
                            const judge_stop_at *at)
{
    go_in(at);
    const ifn_status status = call(backend, &first->call);
    come_out();
    end_twin();
    return status;
}

static void set_stop(const judge_stop_at *at)
{
    struct sigaction action = {.sa_sigaction = on_write, .sa_flags = SA_SIGINFO};
    atomic_store(&meet.n_steps, at->n_steps);
    atomic_store(&meet.is_missed, 0);
    meet.watched = at->watched;
    meet.n_writes = 0;
    meet.stops_at_write = at->n_writes;
    sigemptyset(&action.sa_mask);
    if (at->watched)
        sigaction(SIGSEGV, &action, &meet.before_write);
}

static void unset_stop(void)
{
    if (meet.watched)
        sigaction(SIGSEGV, &meet.before_write, NULL);
    meet.watched = NULL;
}

ifn_status judge_meet_call(ifn_backend *backend, conform_op_fn call, ifn_args *first,
                           const judge_stop_at *at, bool until_stopped)
{
    const ifn_args args = *first;
    const int stops = judge_meet_stops();
    const uint64_t start = ifn_clock_ns();
    ifn_status status;
    int n = 0;
    set_stop(at);
    set_timer(at->ns);
    do {
        *first = args;
        set_timer_again();
        status = call_once(backend, call, first, at);
    } while (until_stopped && status == IFN_OK && judge_meet_stops() == stops &&
             (++n % CALLS_A_CLOCK || ifn_clock_ns() - start < LONGEST_NS));
    set_timer(0);
    judge_end_twin(meet.process);
    unset_stop();
    return status;
}

void judge_meet_enter(const judge_stop_at *at)
{
    set_stop(at);
    go_in(at);
}

void judge_meet_leave(void)
{
    come_out();
    unset_stop();
}

int judge_meet_stops(void)
{
    return atomic_load(&meet.n_stops);
}

/* The first call has returned by now, so an other that waited for it will answer. */
int judge_meet_wait(void)
{
    const struct timespec turn = {.tv_nsec = 100000};
    const int stops = judge_meet_stops();
    while (!is_answered(stops))
        (void)nanosleep(&turn, NULL);
    return stops;
}

ifn_status judge_meet_status(void)
{
    return meet.status;
}

int judge_meet_writes(void)
{
    return meet.n_writes;
}
