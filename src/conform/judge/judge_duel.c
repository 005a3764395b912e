/*
 * Two different calls at once, on two lanes: one is stopped in its midst, the other runs as a
 * whole, and the first goes on. What both get must be what each gets alone: whatever a backend
 * keeps outside its lanes is another's by then. Where the processor has one core, too: a timer
 * stops the first call, wherever it is, and the signal's handler waits for the other thread.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <inferno/clock.h>
#include <inferno/signature.h>

#include "gen.h"
#include "invoke.h"
#include "judge_run.h"
#include "judge_stop.h"

/* One case in so many, and calls that are stopped in it. */
enum { TURN = 16, STOPS = 2 };

/* When the first call is stopped: within twice the time it takes, or within LATE_NS. It may be short: by then it has
 * been made a few times. Where the signal comes between two of them, another comes soon. */
enum { SOON_NS = 10000, SHORT_NS = 20000, LATE_NS = 120000, AGAIN_NS = 10000 };

/* For how long the stopped call waits for the other: on a busy machine that takes a while to begin,
 * but it may also want what the first one holds, which is its right. Where it never comes it is not
 * waited for as long again. */
enum { SHORT_US = 500, LONG_US = 64000 };

static int64_t wait_us = LONG_US;

/* The other call, and how the two meet. A handler has no other way to know: one at a time. */
static struct duel {
    ifn_backend *backend;
    conform_op_fn call;
    pid_t process;
    ifn_args other;
    timer_t timer;
    sem_t is_stopped;
    atomic_int is_inside, is_missed, is_over, n_stops, n_done;
    atomic_int n_steps; /* instructions that the first call goes on for before it is stopped */
    ifn_status status;  /* of the other */
} duel;

static bool is_answered(int want)
{
    return atomic_load(&duel.n_done) >= want;
}

/* In the thread of the first call. */
static void stop(void)
{
    const struct timespec turn = {.tv_nsec = 20000};
    const uint64_t start = ifn_clock_ns();
    const int code = errno, want = atomic_fetch_add(&duel.n_stops, 1) + 1;
    sem_post(&duel.is_stopped);
    while (!is_answered(want) && ifn_clock_ns() - start < (uint64_t)wait_us * 1000)
        (void)nanosleep(&turn, NULL);
    wait_us = is_answered(want) ? LONG_US : wait_us / 2 < SHORT_US ? SHORT_US : wait_us / 2;
    errno = code;
}

/*
 * A signal comes where the processor waits, and that is mostly between a load and the store that
 * depends on it: a sum kept in memory is then written over what the other call has left there. So
 * the first call goes on for a few instructions, one by one, and is stopped at any of them.
 */
static void set_timer(int64_t ns)
{
    const struct itimerspec once = {.it_value = {.tv_nsec = (long)ns}};
    (void)timer_settime(duel.timer, 0, &once, NULL);
}

/* Of the timer, then of each step. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)info;
    if (!atomic_load(&duel.is_inside)) {
        (void)judge_step(context, false);
        atomic_store(&duel.is_missed, 1);
        return;
    }
    const int left =
        judge_enters_system(context) ? 0 : atomic_load(&duel.n_steps) - (number == SIGTRAP);
    atomic_store(&duel.n_steps, judge_step(context, left > 0) ? left : 0);
    if (atomic_load(&duel.n_steps) <= 0)
        stop();
}

static void *run_other(void *cookie)
{
    for (;;) {
        while (sem_wait(&duel.is_stopped) != 0)
            continue;
        if (atomic_load(&duel.is_over))
            return cookie;
        const ifn_status status = duel.call(duel.backend, &duel.other.call);
        judge_end_twin(duel.process);
        if (status != IFN_OK)
            duel.status = status;
        atomic_fetch_add(&duel.n_done, 1);
    }
}

/* The other thread hears no signal: the timer's are for the first. */
static int start_other(pthread_t *thread)
{
    sigset_t all, before;
    sigfillset(&all);
    if (sem_init(&duel.is_stopped, 0, 0) != 0)
        return 0;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int started = pthread_create(thread, NULL, run_other, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!started)
        sem_destroy(&duel.is_stopped);
    return started;
}

static void end_other(pthread_t thread)
{
    atomic_store(&duel.is_over, 1);
    sem_post(&duel.is_stopped);
    pthread_join(thread, NULL);
    sem_destroy(&duel.is_stopped);
}

/* --- the other call --- */

typedef struct second {
    conform_call call;
    void *data[CONFORM_MAX_TENSORS];
    unsigned char *alone[CONFORM_MAX_TENSORS]; /* what it gives when nobody else is there */
    unsigned char *first[CONFORM_MAX_TENSORS]; /* and what the first call gives */
    int64_t ns;                                /* how long it takes */
} second;

static bool is_output(const judge_run *r, int i)
{
    return r->slot->is_written[i] && r->whole[i];
}

/* Tensors of its own, with other values in what is only read. */
static void make_tensors(judge_run *r, second *s)
{
    for (int i = 0; i < r->slot->layout.n; i++) {
        const conform_tensor *t = &r->slot->layout.t[i];
        if (t->absent)
            continue;
        s->data[i] = conform_pool_take(&r->judge->pool, t->bytes + 1, 1);
        if (!r->slot->is_written[i])
            judge_turn(t, r->slot->before[i], s->data[i]);
    }
}

/* Numbers of its own, too: what is kept of one call for all is another's then. */
static void turn_numbers(ifn_op op, conform_call *call)
{
    const ifn_op_signature signature = ifn_op_signature_of(op);
    for (size_t i = 0; i < signature.n; i++) {
        const ifn_op_arg *const arg = &signature.args[i];
        unsigned char *const at = (unsigned char *)&call->args + arg->offset;
        float x;
        if (arg->kind != IFN_ARG_REAL)
            continue;
        memcpy(&x, at, sizeof x);
        x = isfinite(x) && x != 0 ? x / 2 : 1.0f; /* as legal as it was */
        memcpy(at, &x, sizeof x);
    }
}

/* Both are 1 to 16 apart. */
static void give_lane(const judge_run *r, ifn_call *call, int which)
{
    const uint64_t bits = conform_hash(r->slot->c.seed, "duel lanes", 0);
    const int first = (int)(bits % CONFORM_LANES), step = 1 << (bits >> 32) % 5;
    call->lane = conform_lane_of(first, which, step, CONFORM_LANES);
    call->n_lanes = CONFORM_LANES;
}

static int bind_second(judge_run *r, second *s)
{
    ifn_error err = {0};
    ifn_call *const args = &s->call.args.call;
    if (conform_slot_bind(r->slot, s->data, &s->call, &err) != IFN_OK)
        return 0;
    if (r->n_packed)
        conform_set_packed(r->slot->c.op, &s->call, r->handed);
    conform_set_unused(r->slot->c.op, &s->call, r->unused.at[PLACE_END]);
    turn_numbers(r->slot->c.op, &s->call);
    const size_t bytes = r->call.args.call.scratch_bytes;
    give_lane(r, args, 1);
    args->scratch = bytes ? conform_pool_take(&r->judge->pool, bytes, 1) : NULL;
    args->scratch_bytes = bytes;
    return 1;
}

static void prefill_second(judge_run *r, second *s)
{
    for (int i = 0; i < r->slot->layout.n; i++)
        if (r->slot->is_written[i] && s->data[i])
            conform_prefill(r->slot, i, s->data[i], 1);
}

/* Copies of the outputs in `data`. */
static void keep(judge_run *r, void *const *data, unsigned char **copies)
{
    for (int i = 0; i < r->slot->layout.n; i++)
        if (is_output(r, i)) {
            const size_t bytes = r->slot->layout.t[i].bytes;
            copies[i] = conform_pool_take(&r->judge->pool, bytes + 1, 1);
            memcpy(copies[i], data[i], bytes);
        }
}

static int run_alone(judge_run *r, second *s)
{
    judge_prefill(r, 0);
    prefill_second(r, s);
    const conform_op_fn call = conform_op_entry(r->slot->c.op);
    const ifn_status first = call(r->judge->backend, &r->call.args.call);
    judge_end_twin(r->judge->process);
    const uint64_t start = ifn_clock_ns();
    const ifn_status other = call(r->judge->backend, &s->call.args.call);
    s->ns = (int64_t)(ifn_clock_ns() - start);
    judge_end_twin(r->judge->process);
    if (first != IFN_OK || other != IFN_OK)
        return 0;
    keep(r, r->data, s->first);
    keep(r, s->data, s->alone);
    return 1;
}

static void expect_equal(judge_run *r, unsigned char *const *alone, void *const *now,
                         const char *which)
{
    int64_t where = 0;
    for (int i = 0; i < r->slot->layout.n; i++)
        if (alone[i] && !judge_equal(r, i, alone[i], now[i], &where))
            conform_verdict_fail(r->verdict, CHECK_THREADS,
                                 "%s: %s of the call that was %s is not what it is alone, first at "
                                 "element %lld",
                                 conform_run_name(RUN_DUEL), r->slot->layout.t[i].name, which,
                                 (long long)where);
}

/* --- both --- */

/* In a quarter of the stops; in as many 3, 7 and 15: most loops are short, and a step takes ten microseconds. */
enum { MOST_STEPS = 31 };

/* The call, again and again until a signal has come in its midst. */
static ifn_status call_first(judge_run *r, int64_t delay, int n_steps)
{
    const ifn_args args = r->call.args;
    const int stops = atomic_load(&duel.n_stops);
    const uint64_t start = ifn_clock_ns();
    ifn_status status;
    atomic_store(&duel.n_steps, n_steps);
    atomic_store(&duel.is_missed, 0);
    set_timer(delay);
    do {
        r->call.args = args;
        if (atomic_exchange(&duel.is_missed, 0))
            set_timer(AGAIN_NS);
        atomic_store(&duel.is_inside, 1);
        status = duel.call(duel.backend, &r->call.args.call);
        atomic_store(&duel.is_inside, 0);
        judge_end_twin(duel.process);
    } while (status == IFN_OK && atomic_load(&duel.n_stops) == stops &&
             ifn_clock_ns() - start < (uint64_t)LONG_US * 1000);
    set_timer(0);
    return status;
}

/* It was waiting for the first, where it has not answered: that has returned. */
static void wait_for_other(void)
{
    const struct timespec turn = {.tv_nsec = 100000};
    while (!is_answered(atomic_load(&duel.n_stops)))
        (void)nanosleep(&turn, NULL);
}

static int steps_of(conform_stream random, int stop)
{
    const int most = MOST_STEPS >> conform_integer(random, (uint64_t)(2 * STOPS + stop), 0, 3);
    return (int)conform_integer(random, (uint64_t)(STOPS + stop), 0, most);
}

static void fight(judge_run *r, second *s)
{
    const int64_t twice = 2 * s->ns < LATE_NS ? 2 * s->ns : LATE_NS;
    const int64_t late = twice > SHORT_NS ? twice : SHORT_NS;
    const conform_stream random = conform_stream_of(r->slot->c.seed, "duel");
    const ifn_args args = r->call.args;
    for (int i = 0; i < STOPS && !judge_failed(r); i++) {
        const int stops = atomic_load(&duel.n_stops);
        judge_tell_step(r);
        judge_prefill(r, 0);
        prefill_second(r, s);
        r->call.args = args;
        const ifn_status status = call_first(r, conform_integer(random, (uint64_t)i, SOON_NS, late),
                                             r->judge->is_traced ? 0 : steps_of(random, i));
        wait_for_other();
        if (status != IFN_OK || duel.status != IFN_OK)
            conform_verdict_fail(r->verdict, CHECK_THREADS, "%s: returned %s",
                                 conform_run_name(RUN_DUEL),
                                 ifn_status_name(status != IFN_OK ? status : duel.status));
        expect_equal(r, s->first, r->data, "stopped in its midst");
        if (atomic_load(&duel.n_stops) > stops)
            expect_equal(r, s->alone, s->data, "run meanwhile");
    }
}

/* Older versions of the GNU C library have the field under this name alone. */
#if defined(__linux__) && !defined(sigev_notify_thread_id)
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* A signal to the process may come to a thread of the backend's. */
static struct sigevent signal_to_this_thread(int number)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
#ifdef __linux__
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_notify_thread_id = gettid();
#endif
    return event;
}

/* With the handler, the timer and the thread that it takes; all are gone afterwards. */
static void run_duel(judge_run *r, second *s)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
    struct sigaction before, before_steps;
    struct sigevent event = signal_to_this_thread(SIGURG);
    pthread_t other;
    sigemptyset(&action.sa_mask);
    if (timer_create(CLOCK_MONOTONIC, &event, &duel.timer) != 0)
        return;
    sigaction(SIGTRAP, &action, &before_steps);
    if (sigaction(SIGURG, &action, &before) == 0 && start_other(&other)) {
        fight(r, s);
        end_other(other);
    }
    timer_delete(duel.timer);
    sigaction(SIGURG, &before, NULL);
    sigaction(SIGTRAP, &before_steps, NULL);
}

void judge_duel(judge_run *r)
{
    const conform_case *const c = &r->slot->c;
    second s = {.data = {NULL}};
    if (judge_failed(r) || c->tier == TIER_REFUSE || conform_hash(c->seed, "duel", 0) % TURN != 0)
        return;
    judge_start(r);
    ifn_args probe = r->call.args;
    if (conform_next_phase(c->op, &r->call)) /* phases have a scratch between them */
        return;
    r->call.args = probe;
    give_lane(r, &r->call.args.call, 0);
    make_tensors(r, &s);
    judge_tell_run(r, RUN_DUEL);
    judge_tell_step(r);
    if (!bind_second(r, &s) || !run_alone(r, &s))
        return;
    duel = (struct duel){.backend = r->judge->backend,
                         .call = conform_op_entry(c->op),
                         .process = r->judge->process,
                         .other = s.call.args};
    run_duel(r, &s);
}
