/*
 * The parts of one call on several threads at once, each with its lane and its scratch (R1):
 * whatever a backend keeps outside both is shared then, and shows.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "gen.h"
#include "invoke.h"
#include "judge_device.h"
#include "slot.h"

/* Threads cost more than most cases: one in this many gets them, and starts them together so often.
 */
enum { TURN = 8, ROUNDS = 4, LANES = CONFORM_LANES, PATIENCE = 1 << 14, YIELD = 1 << 10 };

typedef struct team {
    ifn_backend *backend;
    conform_op_fn call;
    pid_t process;
    int n, n_lanes, first_lane;
    ifn_args parts[JUDGE_MAX_PARTS]; /* part i runs on lane (first_lane + i) % n_lanes */
    ifn_status status[LANES];
    atomic_int arrived; /* members that stand at the gate, all rounds together */
} team;

typedef struct member {
    team *team;
    int lane;
} member;

/* Waits for the others without sleeping, so that all go on within nanoseconds; but not for long, as
 * on a busy machine they may have no processor. */
static void meet(team *t, int round)
{
    atomic_fetch_add(&t->arrived, 1);
    for (int i = 0; i < PATIENCE && atomic_load(&t->arrived) < t->n_lanes * (round + 1); i++)
        if (i % YIELD == YIELD - 1)
            sched_yield();
}

static void *work(void *cookie)
{
    const member *m = cookie;
    team *t = m->team;
    for (int round = 0; round < ROUNDS; round++) {
        meet(t, round);
        const int first = (m->lane - t->first_lane + t->n_lanes) % t->n_lanes;
        for (int i = first; i < t->n; i += t->n_lanes) {
            const ifn_status status = t->call(t->backend, &t->parts[i].call);
            judge_end_twin(t->process);
            if (status != IFN_OK)
                t->status[m->lane] = status;
        }
    }
    return NULL;
}

static void *scratch_of(judge_run *r, int lane)
{
    const size_t bytes = r->call.args.call.scratch_bytes;
    if (lane == 0 || !bytes)
        return r->call.args.call.scratch;
    void *const scratch = conform_pool_take(&r->judge->pool, bytes, 1);
    conform_poison(scratch, bytes, 0);
    return scratch;
}

static void fill_team(judge_run *r, team *t, const judge_cuts c[2])
{
    const ifn_op op = r->slot->c.op;
    const int across = c[1].n ? c[1].n : 1;
    void *scratch[LANES] = {NULL};
    for (int lane = 0; lane < t->n_lanes; lane++)
        scratch[lane] = scratch_of(r, lane);
    t->n = c[0].n * across;
    for (int k = 0; k < t->n; k++) {
        ifn_args *part = &t->parts[k];
        const int i = k / across, j = k % across;
        *part = r->call.args;
        ifn_op_set_part(op, &part->call, 0, c[0].at[i], c[0].at[i + 1]);
        if (c[1].n)
            ifn_op_set_part(op, &part->call, 1, c[1].at[j], c[1].at[j + 1]);
        part->call.lane = (t->first_lane + k) % t->n_lanes;
        part->call.n_lanes = t->n_lanes;
        part->call.scratch = scratch[part->call.lane];
    }
}

/* What a thread that is not to be had would do, the first one does. */
static void run_team(team *t)
{
    member members[LANES];
    pthread_t threads[LANES];
    int started = 1;
    for (int lane = 0; lane < LANES; lane++)
        members[lane] = (member){t, lane};
    while (started < t->n_lanes &&
           pthread_create(&threads[started], NULL, work, &members[started]) == 0)
        started++;
    for (int lane = started; lane < t->n_lanes; lane++) {
        atomic_fetch_add(&t->arrived, t->n_lanes * ROUNDS);
        work(&members[lane]);
    }
    work(&members[0]);
    for (int lane = 1; lane < started; lane++)
        pthread_join(threads[lane], NULL);
}

/* Two of them as a rule, sometimes three, four or eight. */
static int lanes_of(const conform_case *c)
{
    static const int lanes[] = {2, 3, 2, 4, 2, LANES};
    return lanes[conform_hash(c->seed, "lanes", 0) % (sizeof lanes / sizeof *lanes)];
}

static void run_parts(judge_run *r)
{
    const conform_case *c = &r->slot->c;
    team t = {.backend = r->judge->backend,
              .call = conform_op_entry(c->op),
              .process = r->judge->process,
              .n_lanes = lanes_of(c)};
    /* Parts are few: the last lanes of many get them, too. */
    t.first_lane = (int)(conform_hash(c->seed, "first lane", 0) % (uint64_t)t.n_lanes);
    if (conform_hash(c->seed, "threads", 0) % TURN != 0)
        return;
    judge_start(r);
    const judge_cuts cuts[2] = {judge_draw_cuts(r, 0), judge_draw_cuts(r, 1)};
    if (cuts[0].n * (cuts[1].n ? cuts[1].n : 1) < 2 ||
        conform_next_phase(c->op, &r->call)) /* phases: judge_phases.c */
        return;
    fill_team(r, &t, cuts);
    r->verdict->threads = t.n_lanes;
    judge_tell_run(r, RUN_THREADS);
    judge_tell_step(r);
    r->verdict->calls += t.n * ROUNDS;
    judge_device_begin(r);
    for (int i = 0; i < t.n; i++)
        judge_device_add(r, c->op, &t.parts[i].call);
    if (judge_device_enter(r, IFN_ALL_LANES) != IFN_OK)
        return;
    for (int i = 0; i < t.n; i++)
        judge_device_show(r, c->op, &t.parts[i]);
    run_team(&t);
    const ifn_status waited =
        judge_device_leave(r, RUN_THREADS, (judge_lanes){0, t.n_lanes, t.first_lane});
    t.status[0] = t.status[0] == IFN_OK ? waited : t.status[0];
    for (int lane = 0; lane < t.n_lanes; lane++)
        if (judge_is_left(r, t.status[lane]))
            return;
        else if (t.status[lane] != IFN_OK)
            conform_verdict_fail(r->verdict, CHECK_THREADS, "%s: returned %s",
                                 conform_run_name(RUN_THREADS), ifn_status_name(t.status[lane]));
    judge_check_memory(r, r->home, RUN_THREADS, 0);
    judge_relate(r, RUN_THREADS);
}

/* A signal stops the host's part of a call, of which there is little on a device. */
void judge_threads(judge_run *r)
{
    run_parts(r);
    if (!r->judge->image.device)
        judge_duel(r);
}
