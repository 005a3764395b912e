/*
 * A handle must hold the weight it was made of, whatever else is prepared, and for which uses: the same weight again,
 * or one that is like it in name, shape or address, or lay there before. These others live beside the case's handles.
 * They are made before or after them, and released before or after the op is called.
 */
#include <stdbool.h>
#include <string.h>

#include "gen.h"
#include "invoke.h"
#include "judge_lend.h"
#include "judge_uses.h"

/* One prepared case in TURN. */
enum { TURN = 3 };

/* The other weights, compared with those of the case. */
enum {
    SAME,    /* the same */
    TWICE,   /* the same, the first one once more in the same prepare, or until it is full */
    TURNED,  /* the same names, other data */
    RENAMED, /* other data under another name */
    LATE,    /* the same names, data that differs in the last row alone */
    FEWER,   /* the same data without the last row */
    BEFORE,  /* other data at the same address, released before that changes */
    AT_ONCE, /* TURNED, prepared by another thread at the same time */
    TURNS
};

static int tensor_at(const judge_run *r, const void *data)
{
    for (int i = 0; i < r->slot->layout.n; i++)
        if (r->data[i] == data && r->slot->layout.t[i].bytes > 0)
            return i;
    return -1;
}

/* Overwrites the last row with the first one. */
static void change_last_row(const conform_tensor *t, unsigned char *data)
{
    if (t->rows > 1)
        memcpy(data + (size_t)(t->rows - 1) * conform_stride_bytes(t), data, conform_row_bytes(t));
}

/* Changes weight w to one of the others. */
static void alter(judge_run *r, ifn_tensor *w, int kind)
{
    const int i = tensor_at(r, w->data);
    if (i < 0 || kind == SAME || kind == TWICE)
        return;
    const conform_tensor *const t = &r->slot->layout.t[i];
    if (kind == FEWER) {
        w->shape[0] -= w->shape[0] > 1;
        return;
    }
    unsigned char *const data =
        kind == BEFORE ? r->data[i] : conform_pool_take(&r->judge->pool, t->bytes, 1);
    if (kind == LATE) {
        memcpy(data, r->slot->before[i], t->bytes);
        change_last_row(t, data);
    } else
        judge_turn(t, r->slot->before[i], data);
    w->data = data;
    if (kind == RENAMED)
        w->name = "other";
}

static void draw(judge_run *r, judge_others *o, int kind)
{
    const ifn_tensor *w[IFN_LINEAR_MAX];
    o->n = conform_weights_of(r->slot->c.op, &r->call, w);
    for (int i = 0; i < o->n; i++) {
        o->shown[i] = *w[i];
        o->w[i] = &o->shown[i];
        alter(r, &o->shown[i], kind);
        for (int j = 0; j < i; j++)
            if (w[j] == w[i])
                o->w[i] = o->w[j];
    }
    if (kind == TWICE) {
        const int most = conform_hash(r->slot->c.seed, "others", 2) & 1 ? IFN_LINEAR_MAX : o->n + 1;
        while (o->n < most && o->n < IFN_LINEAR_MAX)
            o->w[o->n++] = o->w[0];
    }
}

static void prepare_others(judge_run *r, ifn_backend *who, judge_others *o, uint32_t uses)
{
    ifn_error err = {0};
    judge_tell_run(r, RUN_PREPARE);
    judge_tell_step(r);
    if (judge_lend_open(r, who, 2 * IFN_LINEAR_MAX * ifn_matrix_bytes(o->w[0])) != IFN_OK)
        return;
    judge_lend_unprotect(r);
    judge_lend(r, who);
    if (judge_prepare_shown(who, o->w, o->n, uses, o->packed, &err) != IFN_OK) {
        conform_verdict_fail(r->verdict, CHECK_PREPARE, "%s: prepare: %s",
                             conform_run_name(RUN_OTHERS), err.text);
        o->n = 0;
    }
    r->n_others += o->n;
    judge_end_twin(r->judge->process);
    judge_lend_end(r, who);
    judge_lend_protect(r);
}

static void release_others(judge_run *r, ifn_backend *who, judge_others *o)
{
    judge_tell_run(r, RUN_PREPARE);
    judge_tell_step(r);
    judge_lend_unprotect(r);
    judge_lend(r, who);
    for (int i = 0; i < o->n; i++)
        if (o->packed[i].data)
            who->desc->release(who, &o->packed[i]);
    r->n_others -= o->n;
    o->n = 0;
    judge_end_twin(r->judge->process);
    judge_lend_end(r, who);
    judge_lend_protect(r);
}

static void make_weights_writable(judge_run *r, bool is_writable)
{
    const ifn_tensor *w[IFN_LINEAR_MAX];
    const int n = conform_weights_of(r->slot->c.op, &r->call, w);
    for (int k = 0; k < n; k++) {
        const int i = tensor_at(r, w[k]->data);
        if (i < 0)
            continue;
        if (is_writable)
            guard_make_writable(&r->tensors[i]);
        memcpy(r->data[i], r->slot->before[i], r->slot->layout.t[i].bytes);
        if (!is_writable)
            guard_make_read_only(&r->tensors[i]);
    }
}

/* Makes the call with the handles of the case and compares it with the truth. */
static void call_with_handles(judge_run *r)
{
    if (judge_failed(r))
        return;
    judge_start(r);
    const ifn_status status = judge_call(r, r->judge->backend, RUN_OTHERS);
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_PREPARE, "%s: returned %s",
                             conform_run_name(RUN_OTHERS), ifn_status_name(status));
    else
        judge_like(r, CHECK_PREPARE);
}

/* Prepares and releases others at the address of the case's weights, then those of the case. */
static void after_others(judge_run *r, ifn_backend *who, uint32_t uses)
{
    judge_others o = {.n = 0};
    make_weights_writable(r, true);
    draw(r, &o, BEFORE);
    prepare_others(r, who, &o, uses);
    release_others(r, who, &o);
    make_weights_writable(r, false);
    judge_prepare(r);
    call_with_handles(r);
}

static void beside_others(judge_run *r, ifn_backend *who, uint32_t uses, int kind)
{
    const uint64_t bits = conform_hash(r->slot->c.seed, "others", 1);
    const bool are_first = bits & 1, are_gone = bits & 2;
    judge_others o = {.n = 0};
    draw(r, &o, kind);
    if (are_first)
        prepare_others(r, who, &o, uses);
    if (!judge_failed(r))
        judge_prepare(r);
    if (!are_first && !judge_failed(r))
        prepare_others(r, who, &o, uses);
    if (are_gone)
        release_others(r, who, &o);
    call_with_handles(r);
    if (!are_gone)
        release_others(r, who, &o);
}

static void meet_once(judge_run *r, judge_rival *rival)
{
    judge_release(r);
    draw(r, &rival->others, TURNED);
    r->rival = rival;
    judge_prepare(r);
    r->rival = NULL;
    if (rival->has_met) {
        call_with_handles(r);
        release_others(r, rival->who, &rival->others);
    }
    rival->has_met = false;
}

static void at_once(judge_run *r, ifn_backend *who, uint32_t uses)
{
    enum { ROUNDS = 4 };
    judge_rival rival = {.who = who, .uses = uses};
    if (r->judge->is_traced || !judge_rival_open(r, &rival))
        return;
    for (; rival.round < ROUNDS && !judge_failed(r); rival.round++)
        meet_once(r, &rival);
    judge_rival_close();
}

void judge_handles(judge_run *r)
{
    const uint64_t bits = conform_hash(r->slot->c.seed, "others", 0);
    ifn_backend *const who = r->packer;
    const uint32_t uses = judge_uses_beside(r, who, r->uses_packed, "other uses");
    const int kind = (int)(bits / TURN % TURNS);
    if (!r->n_packed || r->is_long || r->slot->c.tier == TIER_REFUSE || bits % TURN != 0)
        return;
    judge_start(r);
    judge_release(r);
    if (judge_failed(r))
        return;
    if (kind == AT_ONCE)
        at_once(r, who, uses);
    else if (kind == BEFORE)
        after_others(r, who, uses);
    else
        beside_others(r, who, uses, kind);
}
