/* Weights prepared by two threads at once, on one backend: what it keeps outside its handles is shared then, and shows. */
#include "gen.h"
#include "judge_lend.h"
#include "judge_stop.h"

/* Instructions that the packer goes on for after it has got a block, or has begun. */
enum { MOST_STEPS = 1 << 11 };

static void prepare_others(void *cookie)
{
    judge_rival *const rival = cookie;
    judge_others *const o = &rival->others;
    ifn_error err = {0};
    rival->status = rival->prepare(rival->who, o->w, o->n, rival->uses, o->packed, &err);
}

void judge_rival_meet(judge_run *r)
{
    judge_rival *const rival = r->rival;
    if (!rival)
        return;
    rival->packer = pthread_self();
    rival->is_there = judge_stop_open(prepare_others, rival);
    judge_rival_lent(r);
}

void judge_rival_lent(judge_run *r)
{
    judge_rival *const rival = r->rival;
    if (rival && rival->is_there && pthread_equal(rival->packer, pthread_self()))
        judge_stop_after((int)(conform_hash(r->slot->c.seed, "rival", rival->n_lent++) %
                               (MOST_STEPS >> rival->round)));
}

void judge_rival_leave(judge_run *r)
{
    judge_rival *const rival = r->rival;
    r->rival = NULL;
    if (!rival)
        return;
    if (rival->is_there)
        judge_stop_close();
    if (!rival->is_there || rival->status != IFN_OK)
        rival->others.n = 0;
    r->n_others += rival->others.n;
    if (rival->status != IFN_OK)
        conform_verdict_fail(r->verdict, CHECK_PREPARE, "%s: prepare on another thread returned %s",
                             conform_run_name(RUN_OTHERS), ifn_status_name(rival->status));
}
