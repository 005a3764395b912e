/*
 * Runs the parts of one call on several threads at once, each with its lane and its scratch (R1), to find state that a
 * backend keeps outside both, which the threads then share.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "abi.h"
#include "gen.h"
#include "invoke.h"
#include "judge_device.h"
#include "slot.h"

/* Threads cost more than most cases: one case in TURN has them, and starts them together ROUNDS times. Every long case
 * has them, once: its parts last long enough to meet the first time, and only there is state found that long rows
 * share. */
enum {
    TURN = 8,
    ROUNDS = 4,
    LONG_ROUNDS = 1,
    MOST = CONFORM_THREADS,
    PATIENCE = 1 << 14,
    YIELD = 1 << 10,
    STACK_BYTES = 1 << 20 /* of each thread but the first: a call's use of stack has a bound */
};

typedef struct team {
    judge_run *run;
    ifn_backend *backend;
    conform_op_fn call;
    pid_t process;
    int n, n_members, n_lanes, n_rounds;
    int32_t lanes[MOST];
    ifn_args parts[JUDGE_MAX_PARTS]; /* part i belongs to member i % n_members */
    ifn_status status[MOST];
    uint32_t changed[MOST]; /* registers it left changed */
    int fixture[MOST];      /* what of its thread has changed; -1: nothing */
    atomic_int arrived;     /* members that have reached the gate, summed over all rounds */
} team;

typedef struct member {
    team *team;
    int number;
} member;

/* Waits for the others without sleeping, so that all go on within nanoseconds; but not for long, as on a busy machine
 * they may have no processor. */
static void meet(team *t, int round)
{
    atomic_fetch_add(&t->arrived, 1);
    for (int i = 0; i < PATIENCE && atomic_load(&t->arrived) < t->n_members * (round + 1); i++)
        if (i % YIELD == YIELD - 1)
            sched_yield();
}

static void *work(void *cookie)
{
    const member *m = cookie;
    team *t = m->team;
    const process_fixtures before = process_fixtures_of_thread();
    for (int round = 0; round < t->n_rounds; round++) {
        meet(t, round);
        for (int i = m->number; i < t->n; i += t->n_members) {
            ifn_status status;
            judge_tell_step(t->run); /* each part has the time-out of a call */
            t->changed[m->number] |=
                conform_abi_call(t->call, t->backend, &t->parts[i].call, &status);
            judge_end_twin(t->process);
            if (status != IFN_OK)
                t->status[m->number] = status;
        }
    }
    const process_fixtures now = process_fixtures_of_thread();
    t->fixture[m->number] = process_fixtures_changed(&before, &now, PROCESS_N_FIXTURES);
    return NULL;
}

static void *scratch_of(judge_run *r, int number)
{
    const size_t bytes = r->call.args.call.scratch_bytes;
    if (number == 0 || !bytes)
        return r->call.args.call.scratch;
    return judge_take_scratch(r, bytes);
}

static void fill_team(judge_run *r, team *t, const judge_cuts c[2])
{
    const ifn_op op = r->slot->c.op;
    const int across = c[1].n ? c[1].n : 1;
    void *scratch[MOST] = {NULL};
    for (int i = 0; i < t->n_members; i++)
        scratch[i] = scratch_of(r, i);
    t->n = c[0].n * across;
    for (int k = 0; k < t->n; k++) {
        ifn_args *part = &t->parts[k];
        const int i = k / across, j = k % across;
        *part = r->call.args;
        ifn_op_set_part(op, &part->call, 0, c[0].at[i], c[0].at[i + 1]);
        if (c[1].n)
            ifn_op_set_part(op, &part->call, 1, c[1].at[j], c[1].at[j + 1]);
        part->call.lane = t->lanes[k % t->n_members];
        part->call.n_lanes = t->n_lanes;
        part->call.scratch = scratch[k % t->n_members];
    }
}

/* Starts the threads. If one cannot be started, the first thread does its work. */
static void run_team(team *t)
{
    member members[MOST];
    pthread_t threads[MOST];
    pthread_attr_t small;
    int started = 1;
    const bool has_small = pthread_attr_init(&small) == 0;
    if (has_small)
        (void)pthread_attr_setstacksize(&small, STACK_BYTES);
    for (int i = 0; i < MOST; i++)
        members[i] = (member){t, i};
    while (started < t->n_members && pthread_create(&threads[started], has_small ? &small : NULL,
                                                    work, &members[started]) == 0)
        started++;
    for (int i = started; i < t->n_members; i++) {
        atomic_fetch_add(&t->arrived, t->n_members * ROUNDS);
        work(&members[i]);
    }
    work(&members[0]);
    for (int i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    if (has_small)
        pthread_attr_destroy(&small);
}

/* The number of threads: mostly two, sometimes three, four or eight. */
static int members_of(const conform_case *c)
{
    static const int members[] = {2, 3, 2, 4, 2, MOST};
    return members[conform_hash(c->seed, "lanes", 0) % (sizeof members / sizeof *members)];
}

/* Draws the lanes. In half of the cases there are no others; else they are a few of many, 1 to 16 apart, to find state
 * that is kept by the low bits of a lane. */
static void give_lanes(const conform_case *c, team *t)
{
    const uint64_t bits = conform_hash(c->seed, "first lane", 0);
    const int step = bits >> 32 & 1 ? 1 << (bits >> 40) % 5 : 1;
    t->n_lanes = bits >> 32 & 1 ? CONFORM_LANES : t->n_members;
    const int first = (int)(bits % (uint64_t)t->n_lanes);
    for (int i = 0; i < t->n_members; i++)
        t->lanes[i] = conform_lane_of(first, i, step, t->n_lanes);
}

static bool has_left(const judge_run *r, const team *t)
{
    for (int i = 0; i < t->n_members; i++)
        if (judge_is_left(r, t->status[i]))
            return true;
    return false;
}

/* Checks the status of each thread, and that its registers and its state are as before. */
static void look_at_members(judge_run *r, const team *t)
{
    char what[200];
    for (int i = 0; i < t->n_members; i++) {
        uint32_t changed = t->changed[i];
        if (t->status[i] != IFN_OK)
            conform_verdict_fail(r->verdict, CHECK_THREADS, "%s: returned %s",
                                 conform_run_name(RUN_THREADS), ifn_status_name(t->status[i]));
        judge_note_left(r, &changed);
        conform_abi_describe(changed, what, sizeof what);
        if (changed)
            conform_verdict_fail(r->verdict, CHECK_ABI, "%s: not as before the call: %s",
                                 conform_run_name(RUN_THREADS), what);
        if (t->fixture[i] >= 0)
            conform_verdict_fail(
                r->verdict, CHECK_PROCESS, "%s: has changed %s, expected as it was",
                conform_run_name(RUN_THREADS), process_fixture_name(t->fixture[i]));
    }
}

static void run_parts(judge_run *r)
{
    const conform_case *c = &r->slot->c;
    team t = {.run = r,
              .backend = r->judge->backend,
              .call = conform_op_entry(c->op),
              .process = r->judge->process,
              .n_members = members_of(c),
              .n_rounds = r->is_long ? LONG_ROUNDS : ROUNDS};
    if (!r->is_long && conform_hash(c->seed, "threads", 0) % TURN != 0)
        return;
    judge_start(r);
    const judge_cuts cuts[2] = {judge_draw_cuts(r, 0), judge_draw_cuts(r, 1)};
    if (cuts[0].n * (cuts[1].n ? cuts[1].n : 1) < 2 ||
        conform_next_phase(c->op, &r->call)) /* phases: judge_phases.c */
        return;
    give_lanes(c, &t);
    fill_team(r, &t, cuts);
    r->verdict->threads = t.n_members;
    judge_tell_run(r, RUN_THREADS);
    judge_tell_step(r);
    r->verdict->calls += t.n * t.n_rounds;
    judge_device_begin(r);
    for (int i = 0; i < t.n; i++)
        judge_device_add(r, c->op, &t.parts[i].call);
    if (judge_device_enter(r, IFN_ALL_LANES) != IFN_OK)
        return;
    for (int i = 0; i < t.n; i++)
        judge_device_show(r, c->op, &t.parts[i]);
    run_team(&t);
    const ifn_status waited =
        judge_device_leave(r, RUN_THREADS, (judge_lanes){0, t.n_lanes, t.lanes[0]});
    t.status[0] = t.status[0] == IFN_OK ? waited : t.status[0];
    if (has_left(r, &t))
        return;
    look_at_members(r, &t);
    judge_check_memory(r, r->home, RUN_THREADS, 0);
    judge_relate(r, RUN_THREADS);
}

/* A duel is for the host alone: a signal stops the host's part of a call, and on a device that is small. */
void judge_threads(judge_run *r)
{
    run_parts(r);
    if (!r->judge->image.device)
        judge_duel(r);
}
