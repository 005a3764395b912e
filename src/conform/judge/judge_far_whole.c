/* One call of 2^32 bytes and some pages, of ops that have no parts: far_whole.h. */
#include <string.h>

#include "case_call.h"
#include "far_pieces.h"
#include "far_whole.h"
#include "invoke.h"
#include "judge_far.h"

typedef struct whole_trial {
    judge_run *r;
    const far_whole *op;
    conform_case c;
    conform_layout layout;
    conform_stream bytes; /* what the input holds */
    far_map in, out, scratch;
    int64_t winner; /* of argmax_with_prob */
} whole_trial;

static bool is_copy(const whole_trial *t)
{
    return t->op->out != NULL;
}

/* --- what lies in the input, and in the output before --- */

static uint64_t copied_word(const whole_trial *t, uint64_t i)
{
    return conform_bits(t->bytes, i);
}

/* Two floats in [0, 1/2). */
static uint64_t logits_word(const whole_trial *t, uint64_t i)
{
    const uint64_t bits = conform_bits(t->bytes, i);
    const float x[2] = {(float)(uint32_t)(bits >> 40) * 0x1p-25f,
                        (float)((uint32_t)bits >> 8) * 0x1p-25f};
    uint64_t word;
    memcpy(&word, x, sizeof word);
    return word;
}

/* Words depend on where they are, `flip` turns bits of all. */
static void fill(const whole_trial *t, const far_map *map, uint64_t flip)
{
    far_piece p;
    for (size_t from = 0; far_pieces_next(map, from, &p); from = p.at + p.bytes)
        for (size_t i = 0; i < p.bytes; i += sizeof(uint64_t)) {
            const uint64_t at = (p.at + i) / sizeof(uint64_t);
            const uint64_t word = (is_copy(t) ? copied_word(t, at) : logits_word(t, at)) ^ flip;
            memcpy(map->region.body + p.at + i, &word, sizeof word);
        }
}

/* The winner is among the last; where an offset to it lands that has lost 2^32 or 2^31 bytes, the
 * others lie that come next. */
static void place_winner(whole_trial *t)
{
    enum { LAST = 1 << 10, BORDER = 1 << 30 };
    float *const x = (float *)(void *)t->in.at;
    const uint64_t back = conform_hash(t->c.seed, "winner", 0) % LAST;
    t->winner = t->c.dim[0] - 1 - (int64_t)back;
    x[t->winner - BORDER] = 1;
    x[t->winner - BORDER / 2] = 2;
    x[t->winner] = 4;
}

/* --- what was found --- */

/* Whether byte i of a map belongs to its tensor. */
static bool is_inside(const far_map *map, size_t i)
{
    const size_t begin = (size_t)(map->at - map->region.body);
    return i >= begin && i - begin < map->bytes;
}

static void fail_byte(const whole_trial *t, size_t i, bool is_shared, unsigned char want)
{
    const far_map *const out = &t->out;
    const int64_t at = (int64_t)i - (int64_t)(out->at - out->region.body);
    if (!is_inside(out, i))
        conform_verdict_fail(t->r->verdict, CHECK_FAR, "byte %lld was written, beside it",
                             (long long)at);
    else
        conform_verdict_fail(t->r->verdict, CHECK_FAR, "byte %lld%s is %02x, expected %02x",
                             (long long)at, is_shared ? ", or one between the borders," : "",
                             out->region.body[i], want);
}

/* Beside the tensor everything is as it was: no byte of the input. */
static void check_piece(const whole_trial *t, const far_piece *p)
{
    const unsigned char *const got = t->out.region.body, *const from = t->in.region.body;
    for (size_t i = p->at; i < p->at + p->bytes; i++) {
        const unsigned char want = (unsigned char)(is_inside(&t->out, i) ? from[i] : ~from[i]);
        if (got[i] != want) {
            fail_byte(t, i, p->is_shared, want);
            return;
        }
    }
}

static void check_copy(const whole_trial *t)
{
    far_piece p;
    for (size_t from = 0; far_pieces_next(&t->out, from, &p); from = p.at + p.bytes)
        check_piece(t, &p);
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
    else if (memcmp(&value, t->in.at + (size_t)index * sizeof value, sizeof value) != 0)
        conform_verdict_fail(t->r->verdict, CHECK_FAR, "value is %g, expected 4", (double)value);
}

/* --- the call --- */

static bool place(whole_trial *t, const char *name, far_map *map)
{
    judge_run *const r = t->r;
    const int i = conform_tensor_index(&t->layout, name);
    if (!far_pieces_open(map, t->layout.t[i].bytes, r->overread))
        return false;
    r->data[i] = map->at;
    judge_tell_far(r, i, map->at, map->bytes, &map->region);
    return true;
}

static bool set_up(whole_trial *t)
{
    if (conform_case_layout(&t->c, &t->layout) != IFN_OK || !place(t, t->op->in, &t->in) ||
        (is_copy(t) && !place(t, t->op->out, &t->out)))
        return false;
    fill(t, &t->in, 0);
    if (!is_copy(t))
        place_winner(t);
    return far_pieces_protect(&t->in);
}

/* Calls with n elements of it. */
static ifn_status call_with(whole_trial *t, int64_t n)
{
    judge_run *const r = t->r;
    const ifn_call home = r->call.args.call;
    t->c.dim[0] = n;
    conform_case_bind(&t->c, &t->layout, r->data, &r->call);
    r->call.args.call.lane = home.lane;
    r->call.args.call.n_lanes = home.n_lanes;
    r->call.args.call.scratch = home.scratch;
    r->call.args.call.scratch_bytes = home.scratch_bytes;
    return judge_call(r, r->judge->backend, RUN_FAR);
}

/* A call may take so long, of a processor: much less than what is called a hang. */
static const double most_seconds = 6;

/* Whether all of it takes no longer, by the time of a small part. */
static bool is_fast_enough(whole_trial *t)
{
    enum { PART = 64 };
    const int64_t n = t->c.dim[0];
    const double begin = judge_seconds_used();
    call_with(t, n / PART);
    t->c.dim[0] = n;
    return judge_seconds_used() - begin < most_seconds / PART;
}

/* False: it is refused as not supported, and has not been tried. */
static bool call_whole(whole_trial *t)
{
    judge_run *const r = t->r;
    if (is_copy(t))
        fill(t, &t->out, UINT64_MAX);
    const ifn_status status = call_with(t, t->c.dim[0]);
    if (status == IFN_ERR_UNSUPPORTED)
        return false;
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_FAR, "returned %s", ifn_status_name(status));
    else if (is_copy(t))
        check_copy(t);
    else
        check_winner(t);
    if (judge_failed(r))
        judge_far_say_where(r, t->op->way, is_copy(t) ? t->op->out : t->op->in, FAR_BYTES_32);
    return true;
}

static bool give_scratch(whole_trial *t)
{
    const ifn_limits limits = conform_call_limits(t->c.op, &t->r->call, &t->layout);
    return judge_far_scratch(t->r, &limits, &t->scratch);
}

static void put_away(whole_trial *t)
{
    far_map_close(&t->in);
    far_map_close(&t->out);
    far_map_close(&t->scratch);
    judge_tell_tensors(t->r);
}

void judge_far_whole(judge_run *r)
{
    const far_whole *const op = conform_far_whole_of(r->slot->c.op);
    whole_trial t = {.r = r,
                     .op = op,
                     .c = conform_far_whole_case(op, &r->slot->c),
                     .bytes = conform_stream_of(r->slot->c.seed, "whole")};
    judge_start(r);
    if (r->judge->image.device || !far_map_has_room() || !set_up(&t) || !give_scratch(&t) ||
        !is_fast_enough(&t))
        r->verdict->far_left_out |= conform_far_whole_classes();
    else if (call_whole(&t))
        r->verdict->far |= conform_far_whole_classes();
    put_away(&t);
}
