/*
 * A call must leave nothing in its process (spec/backend.yaml). Every case checks the state that must stay as it was.
 * Large cases and some others check whether the repeated call leaves memory, threads or descriptors. If it does, and
 * now and then anyway, the call is made again and again: what a backend makes once for all calls does not grow each
 * time.
 */
#include <time.h>

#include "gen.h"
#include "invoke.h"
#include "judge_run.h"

enum { TURN = 8, ONCE_TURN = 4, LARGE_BYTES = 1 << 15 };

/* The number of calls in a row that must all leave something. Memory that one thread allocated and another freed waits
 * in caches of the C library, which are full after a few calls, so memory takes more calls than the others. */
enum {
    FEW = 16,
    MANY = 256,
    OF_FEW = 1 << PROCESS_DESCRIPTORS | 1 << PROCESS_THREADS | 1 << PROCESS_ASKED
};

/* Processor time: on a busy machine wall time would leave every case undecided. Only an op that leaves something every
 * time gets that far. */
static const double most_seconds = 2;

double judge_seconds_used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void judge_look_at_fixtures(judge_run *r)
{
    conform_judge *const judge = r->judge;
    const process_fixtures now = process_fixtures_now();
    const int i = process_fixtures_changed(&judge->fixtures, &now, PROCESS_N_FIXTURES);
    judge->fixtures = now;
    if (i >= 0)
        conform_verdict_fail(r->verdict, CHECK_PROCESS,
                             "has changed %s, in this call or one before it; expected as it was",
                             process_fixture_name(i));
}

/* The set, 1 << holding, of what has grown. */
static unsigned grown(const process_holdings *before, const process_holdings *after)
{
    unsigned set = 0;
    for (int i = 0; i < PROCESS_N_HOLDINGS; i++)
        set |= (unsigned)(after->n[i] > before->n[i]) << i;
    return set;
}

typedef void act_fn(judge_run *r, const ifn_args *args);

static void call_op(judge_run *r, const ifn_args *args)
{
    r->call.args = *args;
    (void)judge_call(r, r->judge->backend, RUN_REPEAT);
}

/* The set, 1 << holding, of what `act` makes grow when it is done once more. */
static unsigned grown_by(judge_run *r, act_fn *act, const ifn_args *args)
{
    const process_holdings before = process_holdings_now();
    act(r, args);
    const process_holdings after = process_holdings_now();
    return grown(&before, &after);
}

static void prepare_and_release(judge_run *r, const ifn_args *args)
{
    r->call.args = *args;
    judge_prepare(r);
    judge_release(r);
}

/* Uses up the caches of the C library first: blocks in them count as allocated already, so a leak out of them would be
 * no growth. */
static void warm_up(judge_run *r, act_fn *act, const ifn_args *args)
{
    enum { CACHED = 8 };
    const double start = judge_seconds_used(), most = 1e-3;
    for (int i = 0; i < CACHED && !judge_failed(r) && judge_seconds_used() - start < most; i++)
        act(r, args);
}

/* The set of what grows every time, without what is allowed. */
static unsigned always_grown(judge_run *r, act_fn *act, unsigned allowed, const ifn_args *args)
{
    warm_up(r, act, args);
    const double start = judge_seconds_used();
    unsigned set = ~allowed;
    for (int i = 0; i < MANY && set && !judge_failed(r); i++) {
        const unsigned of_few = set & OF_FEW;
        if (i == FEW && of_few)
            return of_few;
        if (i >= FEW && judge_seconds_used() - start > most_seconds)
            return 0; /* undecided; another case is smaller */
        set &= grown_by(r, act, args);
    }
    return set;
}

static bool is_turn(const judge_run *r, int turn)
{
    return conform_hash(r->slot->c.seed, "process", 0) % (uint64_t)turn == 0;
}

static bool is_large(const judge_run *r)
{
    size_t bytes = 0;
    for (int i = 0; i < r->slot->layout.n; i++)
        bytes += r->slot->layout.t[i].bytes;
    return bytes >= LARGE_BYTES;
}

/* True if there are more descriptors or threads than after the last case. */
static bool has_more(judge_run *r)
{
    const int64_t before = r->judge->held;
    r->judge->held = process_holdings_hint();
    return r->judge->held > before;
}

static void expect_no_growth(judge_run *r, act_fn *act, unsigned allowed, const char *what)
{
    const ifn_args args = r->call.args;
    const unsigned set = always_grown(r, act, allowed, &args);
    for (int i = 0; i < PROCESS_N_HOLDINGS; i++)
        if (set >> i & 1)
            conform_verdict_fail(r->verdict, CHECK_PROCESS, "%s leaves %s after, every time", what,
                                 process_holding_name(i));
}

static bool is_watched(const judge_run *r)
{
    return is_turn(r, ONCE_TURN) || is_large(r);
}

void judge_watch(judge_run *r)
{
    if (is_watched(r))
        r->held = process_holdings_now();
}

void judge_watched(judge_run *r)
{
    if (!is_watched(r))
        return;
    const process_holdings now = process_holdings_now();
    r->has_grown = grown(&r->held, &now) != 0;
}

/* Makes the call in another rounding mode, which a caller may have and the op must restore. Not for long calls, which
 * cost too much. The same call comes first in the ordinary mode: OpenMP keeps as many threads as its last call had, and
 * a thread that it began in the other mode would keep that mode, and compute with it in later calls. */
static void call_rounding_otherwise(judge_run *r)
{
    if (r->is_long || r->slot->c.tier == TIER_REFUSE || !is_watched(r))
        return;
    const ifn_args args = r->call.args;
    call_op(r, &args);
    r->turns_floats = true;
    call_op(r, &args);
    r->turns_floats = false;
    r->call.args = args;
}

void judge_process(judge_run *r)
{
    const conform_case *const c = &r->slot->c;
    if (judge_failed(r))
        return;
    judge_look_at_fixtures(r);
    const bool is_suspect = has_more(r) || r->has_grown;
    const int32_t calls = r->verdict->calls;
    if (c->family == FAMILY_EVERY)
        return;
    judge_start(r);
    call_rounding_otherwise(r);
    r->verdict->calls = calls;
    if (!is_suspect && !is_turn(r, TURN))
        return;
    if (c->tier != TIER_REFUSE || judge_must_refuse(r))
        expect_no_growth(r, call_op, 0, "the same call again");
    if (r->n_packed) {
        judge_release(r);
        expect_no_growth(r, prepare_and_release, 1 << PROCESS_ASKED, "prepare and release");
    }
    r->verdict->calls = calls;
}
