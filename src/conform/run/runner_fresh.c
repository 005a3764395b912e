#include "runner_fresh.h"

#include <string.h>

#include "long_case.h"
#include "plan_sizes.h"
#include "runner_batch.h"
#include "runner_workers.h"

/* The size of a case that is fit to be the first call of a process (judge_first.c), in elements; 0: it is not fit. */
static int64_t worth(const conform_case *c)
{
    enum { MOST_ELEMENTS = 4096 };
    const int64_t n = plan_elements(c);
    const bool is_fit = c->tier != TIER_REFUSE && c->family != FAMILY_EVERY && !conform_is_long(c);
    return is_fit && n <= MOST_ELEMENTS ? n : 0;
}

static int64_t most_worth(const conform_case *cases, int64_t begin, int64_t end)
{
    int64_t best = begin;
    for (int64_t at = begin; at < end; at++)
        if (worth(&cases[at]) > worth(&cases[best]))
            best = at;
    return best;
}

/* Chooses cases evenly over the run: of its parts in turn the middle case and the one that is worth most. The one worth
 * most of all comes last, and is judged first. */
static void choose(conform_fresh *f, const conform_case *cases, int64_t n)
{
    memset(f, 0, sizeof *f);
    f->n = n < FRESH_CASES ? (int)n : FRESH_CASES;
    for (int i = 0; i < f->n; i++) {
        const int64_t begin = i * n / f->n, end = (i + 1) * n / f->n;
        f->at[i] = i % 2 ? most_worth(cases, begin, end) : (begin + end) / 2;
    }
    for (int i = 0; i < f->n; i++)
        if (worth(&cases[f->at[i]]) > worth(&cases[f->at[f->n - 1]])) {
            const int64_t at = f->at[i];
            f->at[i] = f->at[f->n - 1];
            f->at[f->n - 1] = at;
        }
}

/* The index k of a case at[k] with this dtype, among those after the first n; -1: none. */
static int find_dtype(const conform_fresh *f, const conform_case *cases, int dtype)
{
    for (int k = f->n; k < f->n + f->n_dtypes; k++)
        if ((int)cases[f->at[k]].dtype == dtype)
            return k;
    return -1;
}

/* Chooses for each dtype, except the first call's, the case that is worth most: a backend makes its tables for a dtype
 * at the first call with it. */
static void choose_dtypes(conform_fresh *f, const conform_case *cases, int64_t n)
{
    for (int64_t i = 0; i < n && f->n > 0; i++) {
        const bool is_first = cases[i].dtype == cases[f->at[f->n - 1]].dtype;
        const int64_t is_worth = is_first ? 0 : worth(&cases[i]);
        if (is_worth == 0)
            continue;
        const int k = find_dtype(f, cases, (int)cases[i].dtype);
        if (k < 0)
            f->at[f->n + f->n_dtypes++] = i;
        else if (is_worth > worth(&cases[f->at[k]]))
            f->at[k] = i;
    }
}

static ifn_status renew(conform_runner *r, int tested, ifn_error *err)
{
    conform_worker_stop(r, tested);
    return conform_worker_start(r, tested, err);
}

static ifn_status renew_all(conform_runner *r, ifn_error *err)
{
    for (int s = 0; s < r->n_tested; s++)
        IFN_TRY(renew(r, s, err));
    return IFN_OK;
}

/* Judges the chosen cases on all backends under test in the single batch, the last one first, so that the order of
 * calls differs from the run's. */
static ifn_status judge_chosen(conform_runner *r, const conform_case *cases, ifn_error *err)
{
    conform_batch *const b = r->batches[CONFORM_SINGLE];
    const int last = r->fresh.n - 1;
    runner_batch_empty(b);
    for (int i = 0; i <= last; i++) {
        IFN_TRY(runner_batch_add(r, b, &cases[r->fresh.at[last - i]], NULL, err));
        b->slots[i].wants_digest = 1;
    }
    for (int s = 0; s < r->n_tested; s++) {
        r->channels[s].site.first.attempt = FIRST_COUNTED;
        r->channels[s].site.first.writes = 0;
    }
    runner_batch_post_all(r, CONFORM_SINGLE);
    IFN_TRY(conform_workers_wait(r, err));
    for (int s = 0; s < r->n_tested; s++)
        for (int i = 0; i <= last; i++)
            conform_fresh_note(&r->fresh, last - i, s, &b->verdicts[s][i]);
    return IFN_OK;
}

/* How many attempts follow the one that has counted writes. */
static int attempts_after(int writes)
{
    enum { WHERE_NOBODY_CAN_TELL = 5 };
    return writes > 0 ? FIRST_ATTEMPTS : writes == FIRST_UNKNOWN ? WHERE_NOBODY_CAN_TELL : 1;
}

/* Charges a failure after two first calls to these: what they have broken for good shows in later calls. Hangs and lack
 * of memory keep their own check. */
static void charge_first_calls(conform_verdict *v)
{
    const conform_verdict of_later = *v;
    if (v->outcome != OUTCOME_FAIL || v->check == CHECK_FIRST || v->check == CHECK_HANG ||
        v->check == CHECK_MEMORY)
        return;
    v->outcome = OUTCOME_PASS;
    conform_verdict_fail(v, CHECK_FIRST, "two calls, the first of a process; then %s: %.300s",
                         conform_check_name(of_later.check), of_later.detail);
}

/* Judges one case as the first of a new worker. */
static ifn_status judge_anew(conform_runner *r, int tested, const conform_case *c, int attempt,
                             conform_verdict *out, ifn_error *err)
{
    conform_batch *const b = r->batches[CONFORM_SINGLE];
    IFN_TRY(renew(r, tested, err));
    runner_batch_empty(b);
    IFN_TRY(runner_batch_add(r, b, c, NULL, err));
    r->channels[tested].site.first.attempt = attempt;
    runner_batch_post(r, CONFORM_SINGLE, tested);
    IFN_TRY(conform_workers_wait(r, err));
    *out = b->verdicts[tested][0];
    if (attempt >= FIRST_STOPPED)
        charge_first_calls(out);
    return IFN_OK;
}

static bool is_left(const conform_runner *r, int tested, int attempt)
{
    const int writes = r->channels[tested].site.first.writes;
    return attempt < FIRST_STOPPED + attempts_after(writes);
}

ifn_status conform_first_try(conform_runner *r, int tested, const conform_case *c,
                             conform_verdict *out, ifn_error *err)
{
    r->channels[tested].site.first.writes = 0;
    IFN_TRY(judge_anew(r, tested, c, FIRST_COUNTED, out, err));
    for (int i = FIRST_STOPPED; out->outcome != OUTCOME_FAIL && is_left(r, tested, i); i++)
        IFN_TRY(judge_anew(r, tested, c, i, out, err));
    return IFN_OK;
}

/* Makes the further attempts, with the chosen cases that are fit in turn, until one fails. */
static ifn_status attempt_more(conform_runner *r, int tested, const conform_case *cases,
                               ifn_error *err)
{
    conform_fresh *const f = &r->fresh;
    conform_verdict v = {.outcome = OUTCOME_PASS};
    for (int i = FIRST_STOPPED; v.outcome != OUTCOME_FAIL && is_left(r, tested, i); i++) {
        int k = f->n - 1 - i / 2 % f->n;
        k = worth(&cases[f->at[k]]) ? k : f->n - 1;
        IFN_TRY(judge_anew(r, tested, &cases[f->at[k]], i, &v, err));
        conform_fresh_note(f, k, tested, &v);
    }
    return IFN_OK;
}

/* Tries the first calls of other dtypes, on a backend whose writes can be counted. */
static ifn_status attempt_dtypes(conform_runner *r, int tested, const conform_case *cases,
                                 ifn_error *err)
{
    conform_fresh *const f = &r->fresh;
    conform_verdict v = {.outcome = OUTCOME_PASS};
    const bool is_counted = r->channels[tested].site.first.writes >= 0;
    for (int k = f->n; is_counted && v.outcome != OUTCOME_FAIL && k < f->n + f->n_dtypes; k++) {
        IFN_TRY(conform_first_try(r, tested, &cases[f->at[k]], &v, err));
        conform_fresh_note(f, k, tested, &v);
    }
    return IFN_OK;
}

/* Renews workers that have called this op: the judged call must be the first of its process. */
static ifn_status renew_those_that_called(conform_runner *r, ifn_op op, ifn_error *err)
{
    for (int s = 0; s < r->n_tested; s++)
        if (r->channels[s].site.first.called >> op & 1)
            IFN_TRY(renew(r, s, err));
    return IFN_OK;
}

void conform_fresh_choose(const conform_runner *r, const conform_case *cases, int64_t n,
                          conform_fresh *out)
{
    choose(out, cases, r->in_process ? 0 : n);
    choose_dtypes(out, cases, n);
}

ifn_status conform_fresh_run(conform_runner *r, const conform_case *cases, ifn_error *err)
{
    if (r->fresh.n == 0)
        return IFN_OK;
    IFN_TRY(renew_those_that_called(r, cases[r->fresh.at[r->fresh.n - 1]].op, err));
    IFN_TRY(judge_chosen(r, cases, err));
    for (int s = 0; s < r->n_tested; s++) {
        IFN_TRY(attempt_more(r, s, cases, err));
        IFN_TRY(attempt_dtypes(r, s, cases, err));
    }
    return renew_all(r, err);
}
