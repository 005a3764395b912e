/*
 * What a call leaves after in its process: nothing (spec/backend.yaml). What must stay as it was
 * is looked at in one case of several, and so is whether the same call again, and again, leaves
 * memory, threads or descriptors each time. What is made once, for all calls, does not grow each
 * time.
 */
#include <time.h>

#include "gen.h"
#include "invoke.h"
#include "judge_run.h"

enum { TURN = 8 };

/* Calls in a row that must all leave something. Memory that one thread asked for and another gave
 * back waits in caches of the C library, which are full after a few calls: it takes more of them.
 */
enum {
    FEW = 16,
    MANY = 256,
    OF_FEW = 1 << PROCESS_DESCRIPTORS | 1 << PROCESS_THREADS | 1 << PROCESS_ASKED
};

/* Of the processor: on a busy machine a clock on the wall would leave every case undecided. */
static const double most_seconds = 0.25;

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

/* A set, 1 << holding, of what has grown. */
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

static void prepare_and_release(judge_run *r, const ifn_args *args)
{
    r->call.args = *args;
    judge_prepare(r);
    judge_release(r);
}

/* What lies in caches of the C library, asked for already as far as it tells, is used up: memory
 * that is lost out of them is no growth. */
static void warm_up(judge_run *r, act_fn *act, const ifn_args *args)
{
    enum { CACHED = 8 };
    const double start = judge_seconds_used(), most = 1e-3;
    for (int i = 0; i < CACHED && !judge_failed(r) && judge_seconds_used() - start < most; i++)
        act(r, args);
}

/* What grows every time, but for what is allowed. */
static unsigned always_grown(judge_run *r, act_fn *act, unsigned allowed)
{
    const ifn_args args = r->call.args;
    warm_up(r, act, &args);
    const double start = judge_seconds_used();
    unsigned set = ~allowed;
    for (int i = 0; i < MANY && set && !judge_failed(r); i++) {
        const unsigned of_few = set & OF_FEW;
        if (i == FEW && of_few)
            return of_few;
        if (i >= FEW && judge_seconds_used() - start > most_seconds)
            return 0; /* nothing is known; another case is smaller */
        const process_holdings before = process_holdings_now();
        act(r, &args);
        const process_holdings after = process_holdings_now();
        set &= grown(&before, &after);
    }
    return set;
}

static void expect_no_growth(judge_run *r, act_fn *act, unsigned allowed, const char *what)
{
    const unsigned set = always_grown(r, act, allowed);
    for (int i = 0; i < PROCESS_N_HOLDINGS; i++)
        if (set >> i & 1)
            conform_verdict_fail(r->verdict, CHECK_PROCESS, "%s leaves %s after, every time", what,
                                 process_holding_name(i));
}

void judge_process(judge_run *r)
{
    const conform_case *const c = &r->slot->c;
    if (judge_failed(r) || c->family == FAMILY_EVERY ||
        conform_hash(c->seed, "process", 0) % TURN != 0)
        return;
    const int32_t calls = r->verdict->calls;
    judge_start(r);
    judge_look_at_fixtures(r);
    if (c->tier != TIER_REFUSE || judge_must_refuse(r))
        expect_no_growth(r, call_op, 0, "the same call again");
    if (r->n_packed) {
        judge_release(r);
        expect_no_growth(r, prepare_and_release, 1 << PROCESS_ASKED, "prepare and release");
    }
    r->verdict->calls = calls;
}
