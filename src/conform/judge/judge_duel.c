/*
 * Two different calls at once, on two lanes: one is stopped in its middle, the other runs as a whole, and the first
 * goes on. Each must get the results that it gets alone. State that a backend keeps outside its lanes is overwritten by
 * then.
 */
#include "gen.h"
#include "invoke.h"
#include "judge_meet.h"
#include "judge_second.h"

/* One case in TURN has a duel, of STOPS stopped calls. */
enum { TURN = 16, STOPS = 2 };

/* The first call is stopped between SOON_NS and twice its duration, or LATE_NS. A short call has been repeated a few
 * times by then. */
enum { SOON_NS = 10000, SHORT_NS = 20000, LATE_NS = 120000 };

enum { WAIT_US = 64000 };

/* The most steps: 31, 15, 7 or 3, each in a quarter of the stops. Most loops are short, and a step takes ten
 * microseconds. */
enum { MOST_STEPS = 31 };

static int steps_of(conform_stream random, int stop)
{
    const int most = MOST_STEPS >> conform_integer(random, (uint64_t)(2 * STOPS + stop), 0, 3);
    return (int)conform_integer(random, (uint64_t)(STOPS + stop), 0, most);
}

static void fight(judge_run *r, judge_second *s)
{
    const int64_t twice = 2 * s->ns < LATE_NS ? 2 * s->ns : LATE_NS;
    const int64_t late = twice > SHORT_NS ? twice : SHORT_NS;
    const conform_stream random = conform_stream_of(r->slot->c.seed, "duel");
    const ifn_args args = r->call.args;
    int stops = 0;
    for (int i = 0; i < STOPS && !judge_failed(r); i++) {
        const judge_stop_at at = {.ns = conform_integer(random, (uint64_t)i, SOON_NS, late),
                                  .n_steps = r->judge->is_traced ? 0 : steps_of(random, i)};
        judge_tell_step(r);
        judge_second_prefill(r, s);
        r->call.args = args;
        const ifn_status status = judge_meet_call(s->backend, s->entry, &r->call.args, &at, true);
        const int stops_now = judge_meet_wait();
        const ifn_status other = judge_meet_status();
        if (status != IFN_OK || other != IFN_OK)
            conform_verdict_fail(r->verdict, CHECK_THREADS, "%s: returned %s",
                                 conform_run_name(RUN_DUEL),
                                 ifn_status_name(status != IFN_OK ? status : other));
        judge_second_expect(r, s, RUN_DUEL, stops_now > stops);
        stops = stops_now;
    }
}

void judge_duel(judge_run *r)
{
    const conform_case *const c = &r->slot->c;
    judge_second s = {.data = {NULL}};
    if (judge_failed(r) || c->tier == TIER_REFUSE || conform_hash(c->seed, "duel", 0) % TURN != 0)
        return;
    if (!judge_second_start(r))
        return;
    judge_tell_run(r, RUN_DUEL);
    judge_tell_step(r);
    if (!judge_second_make(r, &s) || !judge_second_alone(r, &s))
        return;
    judge_second_keep(r, &s);
    if (!judge_second_meet(&s, WAIT_US))
        return;
    fight(r, &s);
    judge_meet_close();
}
