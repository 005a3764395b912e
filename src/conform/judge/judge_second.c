#include "judge_second.h"

#include <math.h>
#include <string.h>

#include <inferno/clock.h>
#include <inferno/signature.h>

#include "gen.h"
#include "invoke.h"
#include "judge_meet.h"

static bool is_output(const judge_run *r, int i)
{
    return r->slot->is_written[i] && r->data[i];
}

/* Makes the second call's own tensors, with other values in its inputs. */
static void make_tensors(judge_run *r, judge_second *s)
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

/* Changes the numbers among the arguments: a number that a backend keeps globally is then the other call's. */
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
        x = isfinite(x) && x != 0 ? x / 2 : 1.0f; /* as legal as before */
        memcpy(at, &x, sizeof x);
    }
}

/* Gives a call its lane; the two lanes are 1 to 16 apart. */
static void give_lane(const judge_run *r, ifn_call *call, int which)
{
    const uint64_t bits = conform_hash(r->slot->c.seed, "duel lanes", 0);
    const int first = (int)(bits % CONFORM_LANES), step = 1 << (bits >> 32) % 5;
    call->lane = conform_lane_of(first, which, step, CONFORM_LANES);
    call->n_lanes = CONFORM_LANES;
}

static bool bind(judge_run *r, judge_second *s)
{
    ifn_error err = {0};
    ifn_call *const args = &s->call.args.call;
    if (conform_slot_bind(r->slot, s->data, &s->call, &err) != IFN_OK)
        return false;
    if (r->n_packed)
        conform_set_packed(r->slot->c.op, &s->call, r->handed);
    conform_set_unused(r->slot->c.op, &s->call, r->unused.at[PLACE_END]);
    turn_numbers(r->slot->c.op, &s->call);
    const size_t bytes = r->call.args.call.scratch_bytes;
    give_lane(r, args, 1);
    args->scratch = judge_take_scratch(r, bytes);
    args->scratch_bytes = bytes;
    return true;
}

bool judge_second_start(judge_run *r)
{
    judge_start(r);
    const ifn_args probe = r->call.args;
    const bool has_phases = conform_next_phase(r->slot->c.op, &r->call);
    r->call.args = probe;
    return !has_phases;
}

bool judge_second_make(judge_run *r, judge_second *s)
{
    s->backend = r->judge->backend;
    s->entry = conform_op_entry(r->slot->c.op);
    give_lane(r, &r->call.args.call, 0);
    make_tensors(r, s);
    return bind(r, s);
}

static ifn_status call_second(void *cookie)
{
    const judge_second *const s = cookie;
    ifn_args args = s->call.args;
    return s->entry(s->backend, &args.call);
}

bool judge_second_meet(judge_second *s, int64_t wait_us)
{
    const judge_meeting meeting = {.other = call_second, .cookie = s, .wait_us = wait_us};
    return judge_meet_open(&meeting);
}

void judge_second_prefill(judge_run *r, judge_second *s)
{
    judge_prefill(r, 0);
    for (int i = 0; i < r->slot->layout.n; i++)
        if (r->slot->is_written[i] && s->data[i])
            conform_prefill(r->slot, i, s->data[i], 1);
}

/* Copies the outputs in `data`. */
static void keep(judge_run *r, void *const *data, unsigned char **copies)
{
    for (int i = 0; i < r->slot->layout.n; i++)
        if (is_output(r, i)) {
            const size_t bytes = r->slot->layout.t[i].bytes;
            copies[i] = conform_pool_take_raw(&r->judge->pool, bytes + 1, 1);
            memcpy(copies[i], data[i], bytes);
        }
}

void judge_second_keep(judge_run *r, judge_second *s)
{
    keep(r, r->data, s->first);
    keep(r, s->data, s->own);
}

bool judge_second_alone(judge_run *r, judge_second *s)
{
    judge_second_prefill(r, s);
    const ifn_args args = r->call.args, own = s->call.args;
    const ifn_status first = s->entry(s->backend, &r->call.args.call);
    judge_end_twin(r->judge->process);
    const uint64_t start = ifn_clock_ns();
    const ifn_status other = s->entry(s->backend, &s->call.args.call);
    s->ns = (int64_t)(ifn_clock_ns() - start);
    judge_end_twin(r->judge->process);
    r->call.args = args;
    s->call.args = own;
    return first == IFN_OK && other == IFN_OK;
}

static void expect_equal(judge_run *r, unsigned char *const *kept, void *const *now,
                         conform_run run, const char *which)
{
    int64_t where = 0;
    for (int i = 0; i < r->slot->layout.n; i++)
        if (kept[i] && !judge_equal(r, i, kept[i], now[i], &where))
            conform_verdict_fail(r->verdict, conform_run_check(run),
                                 "%s: %s of the call that was %s is not what it is alone, first at "
                                 "element %lld",
                                 conform_run_name(run), r->slot->layout.t[i].name, which,
                                 (long long)where);
}

void judge_second_expect(judge_run *r, judge_second *s, conform_run run, bool has_met)
{
    expect_equal(r, s->first, r->data, run, "stopped in its midst");
    if (has_met)
        expect_equal(r, s->own, s->data, run, "run meanwhile");
}
