#include "runner_fresh.h"

#include <string.h>

#include "runner_batch.h"
#include "runner_workers.h"

/* Evenly over the run. */
static void choose(conform_fresh *f, int64_t n)
{
    memset(f, 0, sizeof *f);
    f->n = n < FRESH_CASES ? (int)n : FRESH_CASES;
    for (int i = 0; i < f->n; i++)
        f->at[i] = (2 * i + 1) * n / (2 * f->n);
}

/* Cases were put into the batch from the last one on: the order of calls differs as well. */
static void note(conform_runner *r)
{
    const conform_batch *b = r->batches[CONFORM_SINGLE];
    for (int s = 0; s < r->n_tested; s++)
        for (int i = 0; i < r->fresh.n; i++)
            r->fresh.digest[s][i] = b->verdicts[s][r->fresh.n - 1 - i].digest;
}

static ifn_status renew_workers(conform_runner *r, ifn_error *err)
{
    for (int s = 0; s < r->n_tested; s++) {
        conform_worker_stop(r, s);
        IFN_TRY(conform_worker_start(r, s, err));
    }
    return IFN_OK;
}

/* Judges the chosen cases on all backends under test in the single batch, the last one first. */
static ifn_status judge_chosen(conform_runner *r, const conform_case *cases, ifn_error *err)
{
    conform_batch *const b = r->batches[CONFORM_SINGLE];
    runner_batch_empty(b);
    for (int i = r->fresh.n; i-- > 0;) {
        IFN_TRY(runner_batch_add(r, b, &cases[r->fresh.at[i]], NULL, err));
        b->slots[b->n - 1].wants_digest = 1;
    }
    runner_batch_post_all(r, CONFORM_SINGLE);
    return conform_workers_wait(r, err);
}

ifn_status conform_fresh_run(conform_runner *r, const conform_case *cases, int64_t n,
                             ifn_error *err)
{
    choose(&r->fresh, r->in_process ? 0 : n);
    if (r->fresh.n == 0)
        return IFN_OK;
    IFN_TRY(judge_chosen(r, cases, err));
    note(r);
    return renew_workers(r, err);
}
