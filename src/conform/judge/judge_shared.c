/*
 * Inputs with equal content as one memory, which an op only reads: a matrix times itself, a cache of keys that are the
 * values, one weight twice. This finds a kernel that concludes something from equal pointers (in place, done already,
 * symmetric).
 */
#include <stdbool.h>
#include <string.h>

#include "gen.h"
#include "invoke.h"
#include "judge_run.h"

bool judge_is_alike(const judge_run *r, int i, int j)
{
    const conform_slot *const s = r->slot;
    const conform_tensor *const a = &s->layout.t[i], *const b = &s->layout.t[j];
    return a->role == ROLE_IN && b->role == ROLE_IN && !a->absent && !b->absent && a->bytes > 0 &&
           a->bytes == b->bytes && a->rows == b->rows && a->cols == b->cols &&
           memcmp(s->before[i], s->before[j], a->bytes) == 0;
}

/* The first tensor that j may share memory with, or j. */
static int first_alike(const judge_run *r, int j)
{
    int i = 0;
    while (i < j && !judge_is_alike(r, i, j))
        i++;
    return i;
}

/* In every other case makes equal weights one ifn_tensor, too, and prepares them as that. */
static void share_tensors(judge_run *r)
{
    const ifn_op op = r->slot->c.op;
    if (conform_hash(r->slot->c.seed, "one tensor", 0) & 1 ||
        !conform_share_weights(op, &r->call) || !r->n_packed)
        return;
    judge_release(r);
    if (!judge_failed(r))
        judge_prepare(r);
    conform_set_packed(op, &r->call, r->handed);
}

static void expect_like(judge_run *r, ifn_status status)
{
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_SHARED, "%s: returned %s",
                             conform_run_name(RUN_SHARED), ifn_status_name(status));
    else
        judge_like(r, CHECK_SHARED);
}

/* In every other case runs the call in parts, too, the last one first, to find a part that copies from another part's
 * output before that is written. */
static void share_in_parts(judge_run *r)
{
    const ifn_op op = r->slot->c.op;
    const ifn_args whole = r->call.args;
    const judge_cuts cuts = judge_draw_cuts(r, 0);
    ifn_status status = IFN_OK;
    if (op == IFN_OP_ATTENTION || cuts.n < 2 ||
        conform_hash(r->slot->c.seed, "shared parts", 0) & 1)
        return;
    judge_prefill(r, 0);
    for (int i = cuts.n; i-- > 0 && status == IFN_OK;) {
        r->call.args = whole;
        ifn_op_set_part(op, &r->call.args.call, 0, cuts.at[i], cuts.at[i + 1]);
        status = judge_call(r, r->judge->backend, RUN_SHARED);
    }
    r->call.args = whole;
    expect_like(r, status);
}

void judge_shared(judge_run *r)
{
    int first[CONFORM_MAX_TENSORS], n = 0;
    for (int i = 0; i < r->slot->layout.n; i++) {
        first[i] = first_alike(r, i);
        n += first[i] < i;
    }
    if (n == 0)
        return;
    judge_start(r);
    for (int i = 0; i < r->slot->layout.n; i++)
        r->data[i] = r->data[first[i]];
    judge_bind(r);
    share_tensors(r);
    if (judge_failed(r))
        return;
    expect_like(r, judge_call(r, r->judge->backend, RUN_SHARED));
    if (!judge_failed(r))
        share_in_parts(r);
}
