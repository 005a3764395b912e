/* The composition law of a fused op, on the same inputs and the same backend. */
#include "gen.h"
#include "judge_run.h"
#include "laws.h"

#include <string.h>

/* A composition costs many calls: one case in this many has it tried. */
enum { TURN = 8 };

static int is_due(const conform_case *c)
{
    if (!conform_has_law(c->op) || c->tier == TIER_REFUSE || c->tier == TIER_GOLDEN)
        return 0;
    /* Weight 0 times an infinite value is NaN in a matmul, and nothing in the op: numerics 10. */
    if (c->op == IFN_OP_ATTENTION && c->tier == TIER_SPECIAL)
        return 0;
    return conform_hash(c->seed, "law", 0) % TURN == 0;
}

/* Bounds of our own to widen: those of the slot belong to every backend of the run. */
static void copy_bounds(judge_run *r)
{
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

void judge_law(judge_run *r)
{
    const ifn_op op = r->slot->c.op;
    if (judge_failed(r) || !is_due(&r->slot->c))
        return;
    judge_start(r);
    copy_bounds(r);
    conform_law_widen(op, &r->call.args, &r->slot->layout, r->truth);
    const ifn_status status =
        conform_law_run(op, r->judge->backend, &r->call.args, &r->judge->pool);
    if (status == IFN_ERR_UNSUPPORTED)
        return; /* a primitive op the backend refuses: counted where that op is judged */
    if (status != IFN_OK)
        conform_verdict_fail(r->verdict, FAULT_LAW, "its primitive ops returned %s",
                             ifn_status_name(status));
    else
        judge_like(r, FAULT_LAW, RUN_LAW);
}
