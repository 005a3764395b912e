#include "judge.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <inferno/clock.h>

#include "declared.h"
#include "detectors.h"
#include "exhaustive.h"
#include "flushed.h"
#include "gen.h"
#include "judge_run.h"
#include "judge_sizes.h"
#include "long_case.h"
#include "seconds.h"
#include "shortened.h"

/* Places a large tensor once: it ends at its protected page or, in every other case, a little before it. With the gap
 * its first address may be any, whatever its size, and so may the rest after a kernel's aligned stretch. */
static guard_tensor place_once(judge_run *r, int i, const conform_tensor *t)
{
    const conform_case *const c = &r->slot->c;
    const bool has_gap = conform_hash(c->seed, "gap", 0) & 1;
    return guard_arena_place_once(&r->judge->arena, i, t->bytes,
                                  has_gap ? conform_residue_of(c, i, t->align) : 0, r->overread);
}

/* Copies inputs to all places and makes them read-only until the next case. */
static void place_tensors(judge_run *r)
{
    const conform_slot *s = r->slot;
    for (int i = 0; i < s->layout.n; i++) {
        const conform_tensor *t = &s->layout.t[i];
        if (t->absent)
            continue;
        r->tensors[i] =
            r->is_long ? place_once(r, i, t)
                       : guard_arena_place(&r->judge->arena, i, t->bytes,
                                           conform_residue_of(&s->c, i, t->align), r->overread);
        if (s->is_written[i])
            continue;
        for (int place = 0; place < (r->is_long ? 1 : PLACE_COUNT); place++)
            memcpy(r->tensors[i].at[place], s->before[i], t->bytes);
        if (s->c.tier != TIER_REFUSE) /* binding a REFUSE case may change an input */
            guard_make_read_only(&r->tensors[i]);
    }
}

static void use_own_truth(judge_run *r)
{
    const conform_declared d = conform_declared_of(r->judge->backend, &r->slot->c);
    r->slot = conform_slot_shortened(r->slot, &d, &r->judge->pool);
    const conform_slot *s = r->slot;
    memcpy(r->truth, s->truth, sizeof r->truth);
    if (!conform_declared_differ(&d) || s->c.tier == TIER_REFUSE)
        return;
    conform_truth_under(s, &d, &r->judge->pool, r->truth);
}

static void keep_whole(judge_run *r)
{
    for (int i = 0; i < r->slot->layout.n; i++) {
        r->first_at[i] = r->data[i];
        if (!r->slot->is_written[i] || !r->data[i])
            continue;
        const size_t bytes = r->slot->layout.t[i].bytes;
        r->whole[i] = conform_pool_take_raw(&r->judge->pool, bytes, 1);
        memcpy(r->whole[i], r->data[i], bytes);
    }
}

/* Returns false for a call that sets an argument which the backend is too old to know. */
static bool is_shown(const judge_run *r)
{
    const ifn_op op = r->slot->c.op;
    ifn_backend *const backend = r->judge->backend;
    return ifn_backend_runner(backend, op, &r->call.args.call) ==
           ifn_backend_implementer(backend, op);
}

/* Judges the status of a call. A legal call that is refused as unsupported is counted and not judged, but it must have
 * written nothing. A call that must be refused may return IFN_ERR_UNSUPPORTED where the backend lacks it, or is too old to
 * be shown it. */
static void judge_status(judge_run *r, ifn_status status)
{
    const conform_slot *s = r->slot;
    const bool is_never_shown = status == IFN_ERR_UNSUPPORTED && !is_shown(r);
    if (status == s->expected || r->is_left ||
        (s->expected != IFN_OK && (judge_is_left(r, status) || is_never_shown)))
        return;
    if (status == IFN_ERR_UNSUPPORTED && s->expected == IFN_OK) {
        r->verdict->outcome = OUTCOME_REFUSED;
        r->verdict->is_declared =
            conform_is_unsupported(r->judge->backend, &s->c) || is_never_shown;
        return;
    }
    conform_verdict_fail(r->verdict, CHECK_STATUS, "returned %s, expected %s%s%s",
                         ifn_status_name(status), ifn_status_name(s->expected),
                         s->entry ? ": " : "", s->entry ? s->entry->name : "");
}

static ifn_status run_at(judge_run *r, guard_place place, conform_run run, int which)
{
    judge_point(r, place, place == PLACE_FREE);
    judge_prefill(r, which);
    judge_bind(r);
    const ifn_status status = judge_call(r, r->judge->backend, run);
    judge_check_memory(r, place, run, which);
    judge_status(r, status);
    return status;
}

/* Makes the first run, which is compared with the truth; later runs are compared with it. Returns 1 if it is right. */
static int first_run(judge_run *r)
{
    judge_point(r, r->home, 0);
    judge_bind(r);
    judge_prepare(r);
    if (!judge_failed(r))
        judge_first(r);
    if (!judge_failed(r) && r->slot->c.tier == TIER_REFUSE && !judge_must_refuse(r))
        return 0;
    if (judge_failed(r))
        return 0;
    const conform_run run = r->home == PLACE_FREE ? RUN_PLACE : RUN_VALUE;
    const ifn_status status = run_at(r, r->home, run, 0);
    if (status != IFN_OK)
        judge_expect_untouched(r, 0, "");
    if (!judge_failed(r) && r->slot->c.tier == TIER_REFUSE)
        judge_refuse_more(r);
    if (judge_failed(r) || status != IFN_OK)
        return 0;
    judge_values(r);
    keep_whole(r);
    if (r->judge->watch)
        r->judge->watch(r->judge->watch_cookie, r->slot, r->whole, r->truth);
    if (r->slot->wants_digest)
        r->verdict->digest = judge_digest(r);
    return !judge_failed(r);
}

static void run_elsewhere(judge_run *r, guard_place place, conform_run run, int which)
{
    if (!judge_failed(r) && run_at(r, place, run, which) == IFN_OK)
        judge_relate(r, run);
}

void judge_repeat(judge_run *r)
{
    judge_watch(r);
    const ifn_status status = run_at(r, r->home, RUN_REPEAT, 1);
    judge_watched(r);
    if (status == IFN_OK)
        judge_relate(r, RUN_REPEAT);
}

/* The bytes that a tensor takes when tensors lie side by side. An empty one gets an address of its own, too: an op may
 * refuse equal addresses. */
static size_t room_of(const conform_tensor *t)
{
    return t->bytes ? (t->bytes + 63) / 64 * 64 : 64;
}

/* Lays all tensors side by side in one piece of memory, in an order that the case draws and that must not matter. */
static void run_side_by_side(judge_run *r)
{
    const conform_slot *const s = r->slot;
    size_t bytes = 1, at = 0;
    if (judge_failed(r) || !judge_is_due(r, CHECK_PLACE))
        return;
    for (int i = 0; i < s->layout.n; i++)
        bytes += room_of(&s->layout.t[i]);
    unsigned char *const memory = conform_pool_take(&r->judge->pool, bytes, 1);
    const int64_t *const order = judge_shuffled(r, "side by side", s->layout.n);
    for (int k = 0; k < s->layout.n; k++) {
        const conform_tensor *const t = &s->layout.t[order[k]];
        if (t->absent)
            continue;
        r->data[order[k]] = memory + at;
        memcpy(memory + at, s->before[order[k]], t->bytes);
        at += room_of(t);
    }
    judge_prefill(r, 1);
    judge_bind(r);
    judge_status(r, judge_call(r, r->judge->backend, RUN_PLACE));
    judge_relate(r, RUN_PLACE);
}

void judge_places(judge_run *r)
{
    if (r->is_long)
        return;
    run_side_by_side(r);
    run_elsewhere(r, PLACE_START, RUN_START, 1);
    if (r->home != PLACE_FREE)
        run_elsewhere(r, PLACE_FREE, RUN_PLACE, 0);
}

/* Applies an alias, "out=x" or "out=x,sum=add": the left tensor's memory gets the right one's content and is both. */
static int lay_over(judge_run *r, const char *alias)
{
    const conform_layout *l = &r->slot->layout;
    while (*alias) {
        char left[24] = "", right[24] = "";
        size_t n = strcspn(alias, "=");
        snprintf(left, sizeof left, "%.*s", (int)n, alias);
        alias += n + (alias[n] == '=');
        n = strcspn(alias, ",");
        snprintf(right, sizeof right, "%.*s", (int)n, alias);
        alias += n + (alias[n] == ',');
        const int to = conform_tensor_index(l, left), from = conform_tensor_index(l, right);
        if (l->t[to].absent || l->t[from].absent || l->t[to].bytes != l->t[from].bytes)
            return 0;
        if (r->data[to])
            memcpy(r->data[to], r->slot->before[from], l->t[to].bytes);
        r->data[from] = r->data[to];
    }
    return 1;
}

/* In half of the cases of the family SAME: if the output may also lie over another input of equal content, that input
 * becomes the same memory, too. */
static void lay_both_over(judge_run *r, const char *alias)
{
    const conform_layout *const l = &r->slot->layout;
    const size_t left = strcspn(alias, "=") + 1;
    if (r->slot->c.family != FAMILY_SAME || strchr(alias, ',') ||
        conform_hash(r->slot->c.seed, "both", 0) & 1)
        return;
    const int from = conform_tensor_index(l, alias + left);
    for (int i = 0; i < CONFORM_MAX_ALIASES && r->module->aliases[i]; i++) {
        const char *const other = r->module->aliases[i];
        const int too = strncmp(other, alias, left) == 0 && !strchr(other, ',')
                            ? conform_tensor_index(l, other + left)
                            : from;
        if (too != from && judge_is_alike(r, from, too))
            r->data[too] = r->data[from];
    }
}

/* Returns false if the case has no such overlap. */
static bool bind_in_place(judge_run *r)
{
    const char *const alias = r->module->aliases[r->slot->c.alias - 1];
    judge_point(r, r->home, 0);
    judge_prefill(r, 0);
    if (!lay_over(r, alias))
        return false;
    lay_both_over(r, alias);
    judge_bind(r);
    return true;
}

static ifn_status call_in_place(judge_run *r)
{
    return bind_in_place(r) ? judge_call(r, r->judge->backend, RUN_ALIAS) : IFN_OK;
}

void judge_alias(judge_run *r)
{
    const conform_case *c = &r->slot->c;
    const int alias = c->alias;
    if (alias < 1 || alias > CONFORM_MAX_ALIASES || !r->module->aliases[alias - 1] ||
        !bind_in_place(r))
        return;
    judge_status(r, judge_call(r, r->judge->backend, RUN_ALIAS));
    if (conform_is_invariant(r->judge->backend, c->op, 6))
        judge_relate(r, RUN_ALIAS);
    else
        judge_owe(r, RUN_ALIAS, (judge_pair){c->op, call_in_place});
}

/* A wrapper has no arithmetic of its own: its inner backend must give the same bits. Handles are those of the leaf
 * below both. */
void judge_wrapper(judge_run *r)
{
    ifn_backend *inner = r->judge->backend->inner;
    if (!inner)
        return;
    judge_start(r);
    judge_status(r, judge_call(r, inner, RUN_WRAPPER));
    if (!judge_failed(r))
        judge_same(r, RUN_WRAPPER);
}

void judge_nothing(judge_run *r)
{
    (void)r;
}

/* Adds the failing input value to a failure in a sweep over all values. */
static void describe_input(judge_run *r)
{
    conform_verdict *v = r->verdict;
    const size_t used = strlen(v->detail);
    if (v->check == CHECK_VALUE || v->check == CHECK_SCALAR)
        conform_every_describe(&r->slot->c, &r->slot->layout, r->slot->before, v->worst.worst,
                               v->detail + used, sizeof v->detail - used);
}

static void attempt(judge_run *r, size_t check)
{
    static void (*const attempts[])(judge_run * r) = {
#define X(NAME, word, relation, attempt, ...) judge_##attempt,
        CONFORM_CHECKS(X)
#undef X
    };
    const uint64_t muted = r->verdict->muted;
    r->is_attempt = true;
    attempts[check](r);
    r->is_attempt = r->is_left = false;
    r->verdict->muted = muted;
}

static void run_all(judge_run *r)
{
    use_own_truth(r);
    place_tensors(r);
    const bool is_right = first_run(r);
    if (r->slot->c.family == FAMILY_EVERY)
        describe_input(r);
    else
        for (size_t i = 0; is_right && i < CHECK_COUNT && !judge_failed(r); i++)
            attempt(r, i);
}

/* Runs the case; if memory runs out, it ends as not executed, which is an error. */
static void run_within_memory(judge_run *r)
{
    jmp_buf exhausted;
    r->judge->pool.exhausted = r->judge->arena.exhausted = &exhausted;
    if (setjmp(exhausted))
        conform_verdict_fail(r->verdict, CHECK_MEMORY, "not executed: out of memory");
    else {
        run_all(r);
        judge_process(r);
    }
    r->judge->pool.exhausted = r->judge->arena.exhausted = NULL;
}

static void judge_slot(conform_judge *self, const conform_slot *slot, conform_verdict *out)
{
    judge_run r = {.judge = self,
                   .slot = slot,
                   .module = conform_module_of(slot->c.op),
                   .verdict = out,
                   .is_long = conform_is_long(&slot->c),
                   .turns_floats = slot->c.tier == TIER_REFUSE,
                   .overread = judge_overread(self->backend, slot)};
    r.home = slot->c.is_at && !r.is_long ? PLACE_FREE : PLACE_END;
    const uint64_t detectors = self->site ? self->site->detectors : 0;
    *out = (conform_verdict){.outcome = OUTCOME_PASS,
                             .worst = {.worst = -1, .first_wrong = -1},
                             .muted = conform_muted_checks(&slot->c, detectors)};
    if (slot->is_void) {
        conform_verdict_fail(out, CHECK_MEMORY, "not executed: out of memory for its truth");
        return;
    }
    conform_pool_reset(&self->pool);
    run_within_memory(&r);
    judge_release(&r);
}

void conform_judge_case(conform_judge *self, const conform_slot *slot, conform_verdict *out)
{
    const uint64_t begun = ifn_clock_ns();
    if (self->site)
        self->site->begun = begun;
    judge_slot(self, slot, out);
    if (out->outcome == OUTCOME_PASS)
        judge_other_sizes(self, slot, judge_slot, out);
    out->seconds = seconds_since(begun);
}
