#include "museum_run.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/clock.h>

#include "case_id.h"
#include "seconds.h"

/* The most crashes per fault, as a process that dies takes longer than a case. */
enum { MOST_CRASHES = 40 };

static int64_t work_of(const conform_case *c)
{
    return conform_module_of(c->op)->work(c);
}

/* The cost and the turn of a case. */
typedef struct costed {
    uint64_t kind;
    int64_t work, at; /* at: index of the case */
    double turn;
} costed;

/* Returns the kind of a case. If one case notices nothing, others of its kind probably do not either. */
static uint64_t kind_of(const conform_case *c)
{
    uint64_t kind = (uint64_t)c->tier * FAMILY_COUNT + c->family;
    kind = (kind * IFN_DTYPE_COUNT + c->dtype) * IFN_DTYPE_COUNT + c->out_dtype;
    return (kind * 2 + (c->prepared != 0)) * 2 + (work_of(c) == 0);
}

static int compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_kind(const void *a, const void *b)
{
    const costed *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->work != y->work ? compare(x->work, y->work) : compare(x->at, y->at);
}

static int by_turn(const void *a, const void *b)
{
    const costed *x = a, *y = b;
    if (x->turn < y->turn || x->turn > y->turn)
        return x->turn < y->turn ? -1 : 1;
    return compare(x->at, y->at);
}

/* The fixed cost of a case, in units of work. */
enum { CASE_WORK = 4096 };

/* Orders cases so that all kinds get about the same time: the n-th case of a kind has its turn at n times its cost. */
static void put_in_turn(costed *costs, int64_t n)
{
    int64_t rank = 0;
    qsort(costs, (size_t)n, sizeof *costs, by_kind);
    for (int64_t i = 0; i < n; i++) {
        rank = i > 0 && costs[i].kind == costs[i - 1].kind ? rank + 1 : 1;
        costs[i].turn = (double)rank * ((double)costs[i].work + CASE_WORK);
    }
    qsort(costs, (size_t)n, sizeof *costs, by_turn);
}

ifn_status conform_museum_order(const conform_case *cases, int64_t n, conform_case **out,
                                ifn_error *err)
{
    costed *costs = calloc((size_t)n + 1, sizeof *costs);
    *out = calloc((size_t)n + 1, sizeof **out);
    if (!costs || !*out) {
        free(costs);
        free(*out);
        *out = NULL;
        return ifn_fail(err, IFN_ERR_NOMEM, "museum: no memory for %lld cases", (long long)n);
    }
    for (int64_t i = 0; i < n; i++)
        costs[i] = (costed){.kind = kind_of(&cases[i]), .work = work_of(&cases[i]), .at = i};
    put_in_turn(costs, n);
    for (int64_t i = 0; i < n; i++)
        (*out)[i] = cases[costs[i].at];
    free(costs);
    return IFN_OK;
}

typedef struct trial {
    conform_runner *runner;
    conform_museum_row *row;
    uint64_t start, detectors; /* detectors: bits of those that have noticed the fault */
    int n_wanted, n_judges, n_crashes;
} trial;

static void note(void *cookie, const conform_case *c, int tested, const conform_verdict *v)
{
    trial *const t = cookie;
    (void)tested;
    t->row->n_cases++;
    if (v->outcome != OUTCOME_FAIL)
        return;
    const int detector = conform_detector_of(c, v->check);
    conform_museum_kill *k = &t->row->kills[detector];
    t->n_crashes += conform_detector_is_crash(detector);
    t->detectors |= UINT64_C(1) << detector;
    if (k->is_there)
        return;
    t->n_judges += !conform_detector_is_crash(detector);
    k->is_there = 1;
    k->work = work_of(c);
    k->seconds = seconds_since(t->start);
    conform_case_id(c, k->id);
}

/* Returns true if enough detectors have noticed. Called between steps; mutes detectors that have noticed, if more than
 * one is wanted. */
static bool is_noticed(void *cookie)
{
    trial *const t = cookie;
    t->runner->channels[0].site.detectors = t->n_wanted > 1 ? t->detectors : 0;
    return t->n_judges >= t->n_wanted || t->n_crashes > MOST_CRASHES;
}

ifn_status conform_museum_try(conform_runner *runner, const conform_case *cases, int64_t n,
                              int n_detectors, conform_museum_row *row, ifn_error *err)
{
    trial t = {.runner = runner, .row = row, .start = ifn_clock_ns(), .n_wanted = n_detectors};
    const ifn_status status = conform_runner_run_until(runner, cases, n, note, is_noticed, &t, err);
    row->seconds = seconds_since(t.start);
    return status;
}
