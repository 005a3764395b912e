/* Weights in a layout of the backend's own, for the cases that are prepared. */
#include "invoke.h"
#include "judge_run.h"

/* Packs the weights of the call where the implementer can, from where they lie in data[]. */
void judge_prepare(judge_run *r)
{
    const ifn_tensor *w[IFN_LINEAR_MAX];
    const ifn_op op = r->slot->c.op;
    const uint32_t use = conform_use_of(op);
    ifn_backend *who = ifn_backend_implementer(r->judge->backend, op);
    ifn_error err = {0};
    if (!r->slot->c.prepared || !use || !who || !who->desc->prepare)
        return;
    const int n = conform_weights_of(op, &r->call, w);
    const ifn_status status =
        who->desc->prepare(who, w, n, use | IFN_USE_ONE_ROW | IFN_USE_MANY_ROWS, r->packed, &err);
    if (status != IFN_OK) {
        conform_verdict_fail(r->verdict, FAULT_PREPARE, "prepare: %s", err.text);
        return;
    }
    r->packer = who;
    r->n_packed = n;
    /* A handle goes only to the ops its mask names; the others read raw. */
    for (int i = 0; i < n; i++)
        if (r->packed[i].ops & use)
            r->handed[i] = r->packed[i];
}

void judge_release(judge_run *r)
{
    for (int i = 0; i < r->n_packed; i++)
        if (r->packed[i].data)
            r->packer->desc->release(r->packer, &r->packed[i]);
    r->n_packed = 0;
}
