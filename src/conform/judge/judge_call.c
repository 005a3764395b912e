/* Makes one call of the op: points to tensors at a place, prefills outputs, binds the arguments and checks
 * registers. */
#include <stdbool.h>
#include <stdio.h>

#include "abi.h"
#include "declared.h"
#include "gen.h"
#include "invoke.h"
#include "judge_device.h"

void judge_point(judge_run *r, guard_place place, bool with_null)
{
    const conform_slot *s = r->slot;
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *t = &s->layout.t[i];
        const bool is_null = t->absent || (with_null && t->bytes == 0);
        r->data[i] = is_null ? NULL : r->tensors[i].at[place];
    }
    judge_tell_tensors(r);
}

void judge_prefill(judge_run *r, int which)
{
    for (int i = 0; i < r->slot->layout.n; i++)
        if (r->slot->is_written[i] && r->data[i])
            conform_prefill(r->slot, i, r->data[i], which);
}

/* Overwrites the scratch: all of it, if no call has used this memory yet. */
static void make_dirty(guard_tensor *scratch)
{
    guard_region *const region = scratch->region;
    const bool is_new = region->dirty_bytes < scratch->bytes;
    conform_poison(scratch->at[PLACE_END],
                   is_new ? scratch->bytes : judge_dirty_bytes(scratch->bytes), 1);
    if (is_new)
        region->dirty_bytes = scratch->bytes;
}

void *judge_take_scratch(judge_run *r, size_t bytes)
{
    if (bytes == 0)
        return NULL;
    void *const scratch = conform_pool_take_raw(&r->judge->pool, bytes, 1);
    conform_poison(scratch, judge_dirty_bytes(bytes), 0);
    return scratch;
}

/* Gives the call scratch of exactly the size that the backend asks for, rounded up to 64 bytes, and makes it dirty. */
static void give_scratch(judge_run *r)
{
    const ifn_limits limits = conform_call_limits(r->slot->c.op, &r->call, &r->slot->layout);
    const size_t asked = ifn_backend_scratch_bytes(r->judge->backend, &limits);
    const size_t bytes = (asked + 63) / 64 * 64;
    if (!r->scratch.region || r->scratch.bytes != bytes) {
        r->scratch = guard_arena_place(&r->judge->arena, CONFORM_SCRATCH_PLACE, bytes, 0,
                                       (r->overread + 63) / 64 * 64);
        make_dirty(&r->scratch);
        judge_tell_scratch(r);
    }
    r->call.args.call.scratch = bytes ? r->scratch.at[PLACE_END] : NULL;
    r->call.args.call.scratch_bytes = bytes;
}

/* Points the array entries after n_w to protected memory. */
static void forbid_unused(judge_run *r)
{
    if (!r->unused.region) {
        r->unused = guard_arena_place(&r->judge->arena, CONFORM_UNUSED_PLACE, 0, 0, 0);
        judge_tell_unused(r);
    }
    conform_set_unused(r->slot->c.op, &r->call, r->unused.at[PLACE_END]);
}

/* Draws the lane and the number of lanes, neither of which may change the result of a whole call. */
static void draw_lane(judge_run *r)
{
    static const int32_t lanes[] = {1, 2, 3, 1, 4, CONFORM_THREADS, 1, CONFORM_LANES};
    const uint64_t bits = conform_hash(r->slot->c.seed, "whole lane", 0);
    ifn_call *const call = &r->call.args.call;
    call->n_lanes = lanes[bits % (sizeof lanes / sizeof *lanes)];
    call->lane = (int32_t)((bits >> 8) % (uint64_t)call->n_lanes);
}

/* Draws where in a forward pass the call claims to be, if anywhere, which must not change its result. Logits are drawn
 * often, as their calls have a size and a use of their own. */
static void draw_place(judge_run *r)
{
    enum { TURNS = 4, LAYERS = 40 };
    const uint64_t bits = conform_hash(r->slot->c.seed, "place", 0);
    ifn_call *const call = &r->call.args.call;
    if (bits % TURNS > 1)
        return;
    call->point =
        (uint8_t)(bits % TURNS ? IFN_POINT_LOGITS : 1 + (bits >> 8) % (IFN_POINT_LOGITS - 1));
    call->layer = (int16_t)(call->point > IFN_POINT_EMBEDDING && call->point < IFN_POINT_OUTPUT_NORM
                                ? (int)((bits >> 16) % LAYERS)
                                : -1);
    call->is_point = (uint8_t)(bits >> 24 & 1);
}

void judge_bind(judge_run *r)
{
    ifn_error err = {0};
    r->call = (conform_call){0};
    if (conform_slot_bind(r->slot, r->data, &r->call, &err) != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_STATUS, "no such call: %s", err.text);
    draw_lane(r);
    draw_place(r);
    if (r->n_packed)
        conform_set_packed(r->slot->c.op, &r->call, r->handed);
    forbid_unused(r);
    give_scratch(r);
}

/* Makes one call of the op through the register guard. */
static ifn_status call_once(judge_run *r, ifn_backend *backend, conform_run run)
{
    uint32_t changed = 0;
    char what[200];
    r->verdict->calls++;
    const ifn_status status =
        judge_enter(r, backend, r->slot->c.op, &r->call.args.call, run, &changed);
    judge_end_twin(r->judge->process);
    judge_note_left(r, &changed);
    if (changed) {
        conform_abi_describe(changed, what, sizeof what);
        conform_verdict_fail(r->verdict, CHECK_ABI, "not as before the call: %s", what);
    }
    return status;
}

/* Protects the partials, an input of the second phase, which must not write to them. Empty ones have no page, and
 * tensors outside the arena cannot be protected. */
static void seal_between(judge_run *r, bool is_sealed)
{
    for (int i = 0; i < r->slot->layout.n; i++) {
        guard_tensor *const t = &r->tensors[i];
        if (r->slot->layout.t[i].role != ROLE_BETWEEN || !t->region || t->bytes == 0)
            continue;
        if (is_sealed)
            guard_make_read_only(t);
        else
            guard_make_writable(t);
    }
}

int judge_merge(judge_run *r)
{
    if (!conform_next_phase(r->slot->c.op, &r->call))
        return 0;
    seal_between(r, 1);
    return 1;
}

void judge_merged(judge_run *r)
{
    seal_between(r, 0);
}

int judge_is_left(const judge_run *r, ifn_status status)
{
    return status == IFN_ERR_UNSUPPORTED &&
           (r->judge->image.device || conform_is_unsupported(r->judge->backend, &r->slot->c) ||
            conform_is_unsupported_call(r->judge->backend, r->slot->c.op, &r->call));
}

/* Ends an attempt in which a call was left to the base: nothing of it is compared. A part that was left must have
 * written nothing; in other runs some outputs come from earlier calls. */
static void note_left(judge_run *r, conform_run run, ifn_status status)
{
    if (!r->is_attempt || r->is_left || !judge_is_left(r, status))
        return;
    if (run == RUN_PARTS)
        judge_expect_untouched(r, 0, "in parts: ");
    r->is_left = true;
    r->verdict->muted = UINT64_MAX;
}

ifn_status judge_call(judge_run *r, ifn_backend *backend, conform_run run)
{
    ifn_status status = call_once(r, backend, run);
    if (status == IFN_OK && judge_merge(r)) {
        status = call_once(r, backend, run);
        judge_merged(r);
    }
    note_left(r, run, status);
    return status;
}

ifn_status judge_call_part(judge_run *r, conform_run run)
{
    const ifn_status status = call_once(r, r->judge->backend, run);
    note_left(r, RUN_VALUE, status);
    return status;
}

void judge_start(judge_run *r)
{
    judge_point(r, r->home, 0);
    judge_prefill(r, 0);
    judge_bind(r);
}

void judge_must_be_refused(judge_run *r, conform_run run, const char *what)
{
    const ifn_status status = judge_call(r, r->judge->backend, run);
    if (status != IFN_ERR_SHAPE)
        conform_verdict_fail(r->verdict, CHECK_STATUS, "%s: %s: returned %s, expected ERR_SHAPE",
                             conform_run_name(run), what, ifn_status_name(status));
}

void judge_must_run(judge_run *r, conform_run run)
{
    const ifn_status status = judge_call(r, r->judge->backend, run);
    const conform_check check = conform_run_check(run);
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, check, "R%d: %s: returned %s",
                             conform_check_relation(check), conform_run_name(run),
                             ifn_status_name(status));
}
