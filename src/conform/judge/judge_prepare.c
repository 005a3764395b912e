/* Prepares and releases the packed weights of prepared cases. */
#include <stdbool.h>
#include <string.h>

#include "counted_alloc.h"
#include "invoke.h"
#include "judge_lend.h"
#include "judge_uses.h"
#include "stream.h"

static size_t weight_bytes(const ifn_tensor *const *w, int n)
{
    size_t bytes = 0;
    for (int i = 0; i < n; i++)
        bytes += w[i] ? ifn_matrix_bytes(w[i]) : 0;
    return bytes;
}

bool judge_is_starved(const conform_case *c)
{
    return conform_hash(c->seed, "starved", 0) % 4 == 0;
}

int judge_starved_at(const conform_case *c)
{
    return 1 + (int)(conform_hash(c->seed, "starved", 1) % 4);
}

/* Releases n handles, all that `who` has made since it was lent guarded memory, and ends the loan. */
static void give_back(judge_run *r, ifn_backend *who, int n)
{
    for (int i = 0; i < n; i++)
        if (r->packed[i].data)
            who->desc->release(who, &r->packed[i]);
    judge_end_twin(r->judge->process);
    judge_lend_end(r, who);
    memset(r->packed, 0, sizeof r->packed);
}

/* Lends `who` guarded memory, and shows it copies of the weights of the call: w[0 .. *n). */
static ifn_status show(judge_run *r, ifn_backend *who, conform_run run, const ifn_tensor **w,
                       int *n, judge_shown *shown)
{
    *n = conform_weights_of(r->slot->c.op, &r->call, w);
    judge_tell_run(r, run);
    judge_tell_step(r);
    const ifn_status status = judge_lend_open(r, who, weight_bytes(w, *n));
    if (status != IFN_OK)
        return status;
    judge_lend(r, who);
    if (r->n_others > 0) /* the backend may write to the blocks of those, too */
        judge_lend_unprotect(r);
    judge_shown_open(shown, w, *n);
    return IFN_OK;
}

/* Prepares the weights where there is no memory for one of the blocks that the backend asks for. It undoes its work, or
 * does without. */
static void prepare_starved(judge_run *r, ifn_backend *who, uint32_t uses)
{
    const ifn_tensor *w[IFN_LINEAR_MAX];
    judge_shown shown;
    ifn_error err = {0};
    int n;
    if (show(r, who, RUN_STARVED, w, &n, &shown) != IFN_OK)
        return;
    r->starved_at = judge_starved_at(&r->slot->c);
    const ifn_status status = who->desc->prepare(who, shown.given, n, uses, r->packed, &err);
    r->starved_at = 0;
    judge_shown_close(&shown);
    give_back(r, who, status == IFN_OK ? n : 0);
    judge_lend_close(r, status == IFN_OK ? "release" : "a prepare that got no memory");
}

static ifn_status prepare_for(judge_run *r, ifn_backend *who, uint32_t uses)
{
    const ifn_tensor *w[IFN_LINEAR_MAX];
    judge_shown shown;
    ifn_error err = {0};
    int n;
    ifn_status status = show(r, who, RUN_PREPARE, w, &n, &shown);
    if (status != IFN_OK)
        return status;
    do {
        judge_rival_meet(r);
        status = who->desc->prepare(who, shown.given, n, uses, r->packed, &err);
    } while (!judge_rival_leave(r, status));
    judge_shown_close(&shown);
    if (status == IFN_OK) {
        r->packer = who;
        r->n_packed = n;
        r->uses_packed = uses;
        judge_adopt(r, w, uses);
    }
    judge_end_twin(r->judge->process);
    judge_lend_end(r, who);
    if (status != IFN_OK) {
        conform_verdict_fail(r->verdict, CHECK_PREPARE, "prepare: %s", err.text);
        judge_lend_close(r, "prepare");
        return status;
    }
    judge_lend_protect(r);
    return status;
}

/* Passes a handle only to the ops that its mask names; the other ops read raw weights. Returns how many the op gets. */
static int hand_over(judge_run *r)
{
    const uint32_t use = conform_use_of(r->slot->c.op);
    int n = 0;
    for (int i = 0; i < r->n_packed; i++) {
        const bool is_named = (r->packed[i].ops & use) != 0;
        r->handed[i] = is_named ? r->packed[i] : (ifn_packed){.data = NULL};
        n += is_named && r->packed[i].data;
    }
    return n;
}

/* Prepares the weights of the call, from where they lie in data[], if the op's implementer can. */
void judge_prepare(judge_run *r)
{
    const ifn_op op = r->slot->c.op;
    const uint32_t use = conform_use_of(op);
    ifn_backend *who = ifn_backend_implementer(r->judge->backend, op);
    if (!r->slot->c.prepared || !use || !who || !who->desc->prepare)
        return;
    const uint32_t asked = judge_uses(r, who);
    if (judge_is_starved(&r->slot->c) && r->n_others == 0 && !r->rival)
        prepare_starved(r, who, asked);
    if (judge_failed(r))
        return;
    if (prepare_for(r, who, asked) != IFN_OK || hand_over(r) > 0 || asked & use)
        return;
    judge_release(r);
    if (!judge_failed(r) && prepare_for(r, who, judge_uses_of_op(r)) == IFN_OK)
        hand_over(r);
}

/* Checks the blocks of env->alloc: each must be freed with the size it was allocated with. */
static void expect_sizes(judge_run *r)
{
    size_t asked, given;
    if (conform_counted_mismatch(&asked, &given))
        conform_verdict_fail(r->verdict, CHECK_PREPARE,
                             "%zu bytes of env->alloc given back, expected the %zu asked for",
                             given, asked);
}

/* Releases every handle; the backend must free all it allocated to make them. */
void judge_release(judge_run *r)
{
    if (!r->n_packed)
        return;
    judge_tell_run(r, RUN_PREPARE);
    judge_tell_step(r);
    judge_lend_unprotect(r);
    judge_lend(r, r->packer);
    give_back(r, r->packer, r->n_packed);
    r->n_packed = 0;
    memset(r->handed, 0, sizeof r->handed);
    judge_adopt_end(r);
    judge_lend_close(r, "release");
    expect_sizes(r);
}
