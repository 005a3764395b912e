/*
 * The first call of an op in a process, stopped while another call runs on another thread. State that a backend makes
 * once, at its first call, is half made then. This happens only where the runner asks for it, in a new process
 * (runner_fresh.c). Once both calls have returned, each is made again, alone, and must give the same.
 *
 * Calls share the memory that they write to: a first attempt counts the writes of the call to it, and later attempts
 * stop the call after one of these, if there are any. If the writes cannot be counted, the call is stopped anywhere.
 */
#include <string.h>

#include "gen.h"
#include "invoke.h"
#include "judge_meet.h"
#include "judge_second.h"
#include "judge_step.h"

/* How long the first call waits for the other, which may want a lock that the first holds; each process pays it. */
enum { WAIT_US = 8000 };

/* The most instructions before the stop: after a write; after the beginning; and, if a timer is set instead, after
 * it. */
enum {
    MOST_AFTER_WRITE = 15,
    MOST_STEPS = 127,
    SOON_NS = 1000,
    LATE_NS = 200000,
    MOST_AFTER_TIME = 7
};

/* How many writes are tried one by one. */
enum { EACH = 6 };

/* Draws a number whose octave is uniform. */
static int64_t drawn(conform_stream random, uint64_t i, int64_t least, int64_t most)
{
    int octaves = 0;
    while (least << (octaves + 1) <= most)
        octaves++;
    const int64_t low = least << conform_integer(random, 2 * i, 0, octaves);
    return conform_integer(random, 2 * i + 1, low, 2 * low - 1 < most ? 2 * low - 1 : most);
}

/* Stops right after the first write, the last, the second, the last but one, ..; then some instructions after any
 * write. */
static judge_stop_at after_write(conform_stream random, uint64_t i, const conform_first *f)
{
    const int nth = f->attempt - FIRST_STOPPED;
    const int each = f->writes < EACH ? f->writes : EACH;
    if (nth < each)
        return (judge_stop_at){.n_writes = nth % 2 ? f->writes - nth / 2 : 1 + nth / 2};
    return (judge_stop_at){.n_writes = (int)drawn(random, i, 1, f->writes),
                           .n_steps = (int)drawn(random, i + 1, 1, MOST_AFTER_WRITE)};
}

static judge_stop_at draw_stop(const judge_run *r, const conform_first *f, const write_trap *trap)
{
    const conform_stream random = conform_stream_of(r->slot->c.seed, "first");
    const uint64_t i = 4 * (uint64_t)f->attempt;
    if (f->attempt == FIRST_COUNTED)
        return (judge_stop_at){.watched = trap};
    if (trap && f->writes > 0) {
        judge_stop_at at = after_write(random, i, f);
        at.watched = trap;
        return at;
    }
    if (judge_has_steps() && !r->judge->is_traced && conform_integer(random, 2 * i, 0, 3) != 0)
        return (judge_stop_at){.n_steps = (int)drawn(random, i + 1, 1, MOST_STEPS)};
    return (judge_stop_at){.ns = drawn(random, i + 1, SOON_NS, LATE_NS),
                           .n_steps = (int)conform_integer(
                               random, 2 * i + 4, 0, r->judge->is_traced ? 0 : MOST_AFTER_TIME)};
}

/* Finds the memory that calls share. Returns 0; FIRST_OWN for an op of this program, whose memory the judge writes to,
 * too; FIRST_UNKNOWN if writes cannot be watched. */
static int find_shared(const judge_run *r, write_trap *trap)
{
    const ifn_op op = r->slot->c.op;
    const ifn_backend *const who = ifn_backend_implementer(r->judge->backend, op);
    uintptr_t code;
    if (!who)
        return FIRST_OWN;
    memcpy(&code, (const char *)who->own_ops + (size_t)op * sizeof code, sizeof code);
    if (!write_trap_find(trap, code, who->state))
        return FIRST_OWN;
    return write_trap_is_safe() && !r->judge->is_traced ? 0 : FIRST_UNKNOWN;
}

typedef struct outcome {
    ifn_status status;
    int stops, writes;
} outcome;

/* Returns false if the two calls cannot meet. */
static bool meet(judge_run *r, judge_second *s, const judge_stop_at *at, outcome *out)
{
    ifn_args args = r->call.args;
    if (!judge_second_meet(s, WAIT_US))
        return false;
    judge_second_prefill(r, s);
    r->judge->site->first.is_watched = at->watched != NULL;
    out->status = judge_meet_call(s->backend, s->entry, &args, at, false);
    r->judge->site->first.is_watched = 0;
    out->stops = judge_meet_wait();
    out->writes = judge_meet_writes();
    if (out->status == IFN_OK)
        out->status = judge_meet_status();
    judge_meet_close();
    return true;
}

/* True if the watched calls gave what they give alone. If not, watching may have disturbed them, and their count of
 * writes is not used. */
static bool is_as_alone(const judge_run *r, const judge_second *s)
{
    int64_t where;
    for (int i = 0; i < r->slot->layout.n; i++)
        if (s->first[i] && !judge_equal(r, i, s->first[i], r->data[i], &where))
            return false;
    return true;
}

static void make_first_call(judge_run *r, const conform_first *f, const write_trap *trap)
{
    conform_first *const told = &r->judge->site->first;
    const judge_stop_at at = draw_stop(r, f, trap);
    judge_second s = {.data = {NULL}};
    outcome o;
    if (!judge_second_make(r, &s) || !meet(r, &s, &at, &o))
        return;
    judge_second_keep(r, &s);
    if (!judge_second_alone(r, &s))
        return;
    if (f->attempt == FIRST_COUNTED) {
        told->writes = o.status == IFN_OK && is_as_alone(r, &s) ? o.writes : FIRST_UNKNOWN;
        return;
    }
    if (o.status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_FIRST, "%s: returned %s",
                             conform_run_name(RUN_FIRST), ifn_status_name(o.status));
    else
        judge_second_expect(r, &s, RUN_FIRST, o.stops > 0);
}

static bool is_fit(const judge_run *r)
{
    const conform_case *const c = &r->slot->c;
    return c->tier != TIER_REFUSE && !r->is_long && c->family != FAMILY_EVERY &&
           !r->judge->image.device;
}

void judge_first(judge_run *r)
{
    conform_first *const asked = r->judge->site ? &r->judge->site->first : NULL;
    if (!asked)
        return;
    const conform_first f = *asked;
    asked->called |= UINT64_C(1) << r->slot->c.op;
    if (f.attempt == FIRST_ORDINARY)
        return;
    write_trap trap;
    asked->attempt = FIRST_ORDINARY; /* later calls are not the first */
    if (!is_fit(r))
        return;
    if (!judge_second_start(r))
        return;
    const int found = find_shared(r, &trap);
    if (f.attempt == FIRST_COUNTED && found != 0) {
        asked->writes = found;
        return;
    }
    judge_tell_run(r, RUN_FIRST);
    judge_tell_step(r);
    make_first_call(r, &f, found == 0 ? &trap : NULL);
}
