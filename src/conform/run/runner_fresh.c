#include "runner_fresh.h"

#include <string.h>

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
    for (int s = 0; s < r->n_subjects; s++)
        for (int i = 0; i < r->fresh.n; i++)
            r->fresh.digest[s][i] = b->verdicts[s][r->fresh.n - 1 - i].digest;
}

static ifn_status renew_workers(conform_runner *r, ifn_error *err)
{
    for (int s = 0; s < r->n_subjects; s++) {
        conform_worker_stop(r, s);
        IFN_TRY(conform_worker_start(r, s, err));
    }
    return IFN_OK;
}

ifn_status conform_fresh_run(conform_runner *r, const conform_case *cases, int64_t n,
                             ifn_error *err)
{
    choose(&r->fresh, r->in_process ? 0 : n);
    if (r->fresh.n == 0)
        return IFN_OK;
    IFN_TRY(conform_runner_sample(r, cases, r->fresh.at, r->fresh.n, err));
    note(r);
    return renew_workers(r, err);
}

static int find(const conform_fresh *f, int64_t i)
{
    for (int k = 0; k < f->n; k++)
        if (f->at[k] == i)
            return k;
    return -1;
}

int conform_fresh_has(const conform_fresh *fresh, int64_t i)
{
    return find(fresh, i) >= 0;
}

/* A case that gave nothing, here or there, has failed or was refused for other reasons. */
void conform_fresh_compare(const conform_fresh *fresh, int64_t i, int subject,
                           conform_verdict *verdict)
{
    const int k = find(fresh, i);
    conform_relation *relation = &verdict->relations[conform_fault_invariance(FAULT_FRESH)];
    if (k < 0 || !verdict->digest || !fresh->digest[subject][k])
        return;
    const int held = verdict->digest == fresh->digest[subject][k];
    relation->tried++;
    relation->demanded++;
    relation->held += held;
    if (!held)
        conform_verdict_fail(verdict, FAULT_FRESH, "R0: another process gives other bits");
}
