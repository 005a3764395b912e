/* Checks the composition law of a fused op, on the same inputs and the same backend. */
#include "flushed.h"
#include "gen.h"
#include "invoke.h"
#include "judge_device.h"
#include "laws.h"
#include "long_case.h"

#include <string.h>

/* A composition costs many calls, so one case in TURN tries it. */
enum { TURN = 8 };

static bool is_due(const conform_slot *s)
{
    const conform_case *const c = &s->c;
    if (!s->spec || s->spec->n_law == 0 || c->tier == TIER_REFUSE || c->tier == TIER_GOLDEN ||
        !conform_law_holds(c))
        return false;
    return conform_has_relations(c) && conform_hash(c->seed, "law", 0) % TURN == 0;
}

size_t judge_overread(ifn_backend *backend, const conform_slot *slot)
{
    size_t most = conform_overread_of(backend, slot->c.op);
    const int n_ops = is_due(slot) ? IFN_OP_COUNT : 0;
    for (int op = 0; op < n_ops; op++) {
        const size_t bytes = conform_overread_of(backend, (ifn_op)op);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Copies the bounds, which the law widens: those of the slot belong to every backend of the run. */
static void take_bounds(judge_run *r)
{
    const conform_declared d = conform_declared_of_law(r->judge->backend, &r->slot->c);
    memcpy(r->truth, r->slot->truth, sizeof r->truth);
    if (conform_declared_differ(&d))
        conform_truth_under(r->slot, &d, &r->judge->pool, r->truth);
    for (int i = 0; i < r->slot->layout.n; i++) {
        const conform_tensor *t = &r->slot->layout.t[i];
        conform_truth *truth = &r->truth[i];
        if (!truth->bound)
            continue;
        const size_t n = (size_t)(t->rows * t->cols);
        double *bound = conform_pool_take(&r->judge->pool, n, sizeof *bound);
        memcpy(bound, truth->bound, n * sizeof *bound);
        truth->bound = bound;
    }
}

/* The cookie of call_primitive: the run, and scratch for the largest call so far. */
typedef struct law_caller {
    judge_run *run;
    void *scratch;
    size_t bytes;
} law_caller;

/* Gives the call as much scratch as the backend asks for. */
static void give_scratch(law_caller *self, ifn_op op, ifn_call *call)
{
    const ifn_limits limits = conform_args_limits(op, call);
    const size_t bytes = ifn_backend_scratch_bytes(self->run->judge->backend, &limits);
    if (bytes > self->bytes) {
        self->scratch = judge_take_scratch(self->run, bytes);
        self->bytes = bytes;
    }
    call->scratch = self->scratch;
    call->scratch_bytes = self->bytes;
}

static ifn_status call_primitive(void *cookie, ifn_op op, const ifn_call *args)
{
    law_caller *const self = cookie;
    ifn_args own;
    memcpy(&own, args, ifn_op_args_bytes(op));
    give_scratch(self, op, &own.call);
    return judge_enter_other(self->run, op, &own.call, RUN_LAW);
}

static void run_law(judge_run *r)
{
    const conform_slot *const s = r->slot;
    const conform_law law = {s->spec, &s->c, &s->layout, r->data, &r->call.args};
    law_caller caller = {.run = r};
    ifn_error err = {0};
    judge_start(r);
    ifn_status status = conform_law_widen(s->c.op, &r->call.args, &s->layout, r->truth);
    if (status == IFN_OK)
        status = conform_law_run(&law, call_primitive, &caller, &r->judge->pool, &err);
    if (status == IFN_ERR_UNSUPPORTED)
        return; /* the backend refuses a primitive op: counted where that op is judged */
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_LAW, "its primitive ops returned %s%s%s",
                             ifn_status_name(status), err.text[0] ? ": " : "", err.text);
    else
        judge_like(r, CHECK_LAW);
}

/* Runs the law under the declarations of the primitive ops: those of the fused op do not bind them. */
void judge_law(judge_run *r)
{
    const conform_slot *const s = r->slot;
    conform_truth own[sizeof r->truth / sizeof *r->truth];
    if (!is_due(s) || conform_law_is_rounded(r->judge->backend, &s->c))
        return;
    memcpy(own, r->truth, sizeof own);
    take_bounds(r);
    run_law(r);
    memcpy(r->truth, own, sizeof own);
}
