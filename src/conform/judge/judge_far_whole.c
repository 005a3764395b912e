/* Far calls of whole tensors: one call with more than 2^24 elements, 2^31 or 2^32 bytes: far_whole.h. */
#include "judge_far_whole.h"

#include <string.h>

#include "case_call.h"
#include "invoke.h"

/* Puts the largest value among the last elements, at an odd index that no float holds. The two next largest lie where
 * truncated offsets to it would land: 2^24 and 2^23 elements before it (FAR_LONG), or 2^32 and 2^31 bytes. */
static void place_winner(whole_trial *t)
{
    enum { LAST = 1 << 10 };
    const int64_t border = t->size == FAR_LONG ? 1 << 24 : 1 << 30, n = t->c.dim[0];
    const int64_t back = (int64_t)(conform_hash(t->c.seed, "winner", 0) % LAST);
    float *const x = (float *)(void *)t->maps[conform_tensor_index(&t->layout, "x")].at;
    t->winner = (n - 2 - back) | 1;
    x[t->winner - border] = 1;
    x[t->winner - border / 2] = 2;
    x[t->winner] = 4;
}

static void check_winner(const whole_trial *t)
{
    int32_t index;
    float value;
    memcpy(&index, t->r->data[conform_tensor_index(&t->layout, "index")], sizeof index);
    memcpy(&value, t->r->data[conform_tensor_index(&t->layout, "value")], sizeof value);
    if (index != t->winner)
        conform_verdict_fail(t->r->verdict, CHECK_FAR, "index is %d, expected %lld", (int)index,
                             (long long)t->winner);
    else if (value != 4)
        conform_verdict_fail(t->r->verdict, CHECK_FAR, "value is %g, expected 4", (double)value);
}

/* --- the tensors --- */

/* True for tensors of more than 2^24 bytes: all but a scalar, an index and a value. */
static bool is_far(const conform_tensor *tensor)
{
    enum { LEAST = 1 << 24 };
    return tensor->bytes > LEAST;
}

static bool place(whole_trial *t, int i)
{
    judge_run *const r = t->r;
    far_map *const map = &t->maps[i];
    if (!far_pieces_open(map, t->layout.t[i].bytes, r->overread))
        return false;
    t->home[i] = r->data[i];
    r->data[i] = map->at;
    judge_tell_far(r, i, map->at, map->bytes, &map->region);
    return true;
}

static bool is_written(const whole_trial *t, int i)
{
    const conform_role role = t->layout.t[i].role;
    return role == ROLE_OUT || role == ROLE_INOUT;
}

static bool place_all(whole_trial *t)
{
    for (int i = 0; i < t->layout.n; i++) {
        if (!is_far(&t->layout.t[i]))
            continue;
        if (!place(t, i))
            return false;
        if (is_written(t, i))
            t->out = i;
    }
    return true;
}

static bool protect_inputs(const whole_trial *t)
{
    for (int i = 0; i < t->layout.n; i++)
        if (t->maps[i].at && !is_written(t, i) && !far_pieces_protect(&t->maps[i]))
            return false;
    return true;
}

static void fill_inputs(whole_trial *t)
{
    if (t->op->kind == WHOLE_COMPUTES)
        judge_far_fill_values(t);
    for (int i = 0; i < t->layout.n && t->op->kind != WHOLE_COMPUTES; i++)
        if (t->maps[i].at && !is_written(t, i))
            judge_far_fill(t, i, 0);
    if (t->op->kind == WHOLE_SEARCHES)
        place_winner(t);
}

static bool set_up(whole_trial *t)
{
    if (conform_case_layout(&t->c, &t->layout) != IFN_OK || !place_all(t))
        return false;
    fill_inputs(t);
    return protect_inputs(t);
}

/* --- the call --- */

/* Calls case c in these tensors, or in the beginning of them. */
static ifn_status call_case(const whole_trial *t, const conform_case *c)
{
    judge_run *const r = t->r;
    const ifn_call home = r->call.args.call;
    conform_layout layout = {0};
    const ifn_status status = conform_case_layout(c, &layout);
    if (status != IFN_OK)
        return status;
    conform_case_bind(c, &layout, r->data, &r->call);
    r->call.args.call.lane = home.lane;
    r->call.args.call.n_lanes = home.n_lanes;
    r->call.args.call.scratch = home.scratch;
    r->call.args.call.scratch_bytes = home.scratch_bytes;
    return judge_call(r, r->judge->backend, RUN_FAR);
}

/* The processor time in seconds that a call may take: much less than the limit for a hang. */
static const double most_seconds[FAR_SIZES] = {[FAR_LONG] = 1, [FAR_GREAT] = 4, [FAR_HUGE] = 6};

/* The processor time that a small share of the call takes; 0 if it is refused. */
static double seconds_of(const whole_trial *t, const conform_case *share)
{
    const double begin = judge_seconds_used();
    return call_case(t, share) == IFN_OK ? judge_seconds_used() - begin : 0;
}

/* True if the whole call takes no longer, estimated from a small share: the least of several tries, as other work on
 * the machine may delay one. A share that is far too slow is not tried again. */
static bool is_fast_enough(const whole_trial *t)
{
    enum { SHARES = 64, TRIES = 4, FAR_TOO_SLOW = 4 };
    const conform_case share = conform_far_whole_case(t->op, &t->r->slot->c, t->size, SHARES);
    const double most = most_seconds[t->size] / SHARES;
    for (int i = 0; i < TRIES; i++) {
        const double seconds = seconds_of(t, &share);
        if (seconds < most)
            return true;
        if (seconds > most * FAR_TOO_SLOW)
            return false;
    }
    return false;
}

static void check(const whole_trial *t)
{
    if (t->op->kind == WHOLE_SEARCHES)
        check_winner(t);
    else if (t->op->kind == WHOLE_MOVES)
        judge_far_check_moved(t);
    else
        judge_far_check_values(t);
}

static const far_border borders[FAR_SIZES] = {FAR_ELEMENTS_24, FAR_BYTES_31, FAR_BYTES_32};

static const char *name_of_far(const whole_trial *t)
{
    return t->out < 0 ? "x" : t->layout.t[t->out].name;
}

/* Returns false if the backend refuses the call as unsupported: its class counts as not tried. */
static bool call_whole(const whole_trial *t)
{
    judge_run *const r = t->r;
    if (t->out >= 0)
        judge_far_prefill(t);
    const ifn_status status = call_case(t, &t->c);
    if (status == IFN_ERR_UNSUPPORTED)
        return false;
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_FAR, "returned %s", ifn_status_name(status));
    else
        check(t);
    if (judge_failed(r))
        judge_far_say_where(r, t->op->way, name_of_far(t), borders[t->size]);
    return true;
}

static bool give_scratch(whole_trial *t)
{
    const ifn_limits limits = conform_call_limits(t->c.op, &t->r->call, &t->layout);
    return judge_far_scratch(t->r, &limits, &t->scratch);
}

static void put_away(whole_trial *t)
{
    for (int i = 0; i < t->layout.n; i++)
        far_map_close(&t->maps[i]);
    far_map_close(&t->scratch);
    judge_tell_tensors(t->r);
}

void judge_far_whole(judge_run *r, far_size size)
{
    const far_whole *const op = conform_far_whole_of(r->slot->c.op);
    const uint32_t classes = conform_far_whole_classes(r->slot->c.op, size);
    whole_trial t = {.r = r,
                     .op = op,
                     .size = size,
                     .c = conform_far_whole_case(op, &r->slot->c, size, 1),
                     .out = -1};
    judge_start(r);
    if (r->judge->image.device || !far_map_has_room() || !set_up(&t) || !give_scratch(&t) ||
        !is_fast_enough(&t))
        r->verdict->far_left_out |= classes;
    else if (call_whole(&t))
        r->verdict->far |= classes;
    put_away(&t);
}
