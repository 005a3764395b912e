#include "e2e_long.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "declared.h"

/* A run of one cut on one backend. */
typedef struct run {
    const e2e_truth *truth;
    const e2e_cut *cut;
    e2e_statistics *statistics;
    bool is_demanded;
    float *first;    /* [n_steps, n_vocab]: logits of the first cut that has the step */
    bool *has_first; /* [n_steps] */
    char where[E2E_NAME_BYTES];
} run;

static int64_t find_step(const e2e_truth *t, int64_t position)
{
    int64_t i = 0;
    while (i < t->n_steps && t->steps[i] != position)
        i++;
    return i;
}

/* Compares the logits of a step with those of an earlier cut. The cache holds the truth's rows in every cut, so bits
 * must not depend on the chunk size if the backend declares R2 and R3. */
static void compare_bits(run *r, int64_t step, const float *logits)
{
    const size_t n = (size_t)r->truth->n_vocab;
    float *const first = r->first + (size_t)step * n;
    if (r->has_first[step])
        e2e_statistics_relation(r->statistics, memcmp(first, logits, n * sizeof *first) == 0,
                                r->is_demanded, r->where);
    else
        memcpy(first, logits, n * sizeof *first);
    r->has_first[step] = true;
}

static void hear(void *cookie, int64_t position, const float *logits)
{
    run *const r = cookie;
    const e2e_truth *const t = r->truth;
    const int64_t i = find_step(t, position);
    if (i == t->n_steps) {
        e2e_statistics_fail(r->statistics, E2E_STATUS, "%s, step %lld: no truth of it", r->where,
                            (long long)position);
        return;
    }
    const e2e_want want = {t->logits + i * t->n_vocab, t->n_vocab, t->sigma[i], 1};
    const e2e_step step = e2e_judge_step(&want, logits);
    e2e_statistics_step(r->statistics, &step, position, r->where);
    compare_bits(r, i, logits);
}

static void begin(run *r, e2e_results *results, const e2e_way *way)
{
    e2e_again *const now = &results->now;
    const e2e_chunks chunks = e2e_cut_chunks(r->cut);
    *now = (e2e_again){.way = *way, .n_chunks = chunks.n};
    memcpy(now->chunks, chunks.sizes, (size_t)chunks.n * sizeof *chunks.sizes);
    snprintf(r->where, sizeof r->where, "%.24s, %s", r->truth->name, r->cut->name);
    e2e_results_begin(results, r->statistics, r->where);
}

static void run_cut(run *r, e2e_engine *engine, e2e_results *results)
{
    const e2e_chunks chunks = e2e_cut_chunks(r->cut);
    ifn_error err = {0};
    begin(r, results, &engine->way);
    engine->forced.worst = 0;
    if (e2e_engine_hear(engine, r->truth->ids, r->truth->n, &chunks, hear, r, &err) == IFN_OK)
        e2e_statistics_codes(r->statistics, &engine->forced, r->truth->most_steps, 1, r->where);
    else
        e2e_statistics_fail(r->statistics, E2E_STATUS, "%s: %s", r->where, err.text);
    e2e_results_end(results, r->statistics);
}

static ifn_status open_engine(const e2e_trial *self, const e2e_way *way, ifn_backend **backend,
                              e2e_engine *engine, ifn_error *err)
{
    const e2e_truth *const t = self->truth;
    IFN_TRY(self->open(self->backend, 0, backend, err));
    return e2e_engine_open(engine, t->model, *backend, way, &t->codes, err);
}

static ifn_status run_cuts(const e2e_trial *self, run *r, const e2e_way *way, e2e_results *results,
                           ifn_error *err)
{
    const e2e_truth *const t = self->truth;
    ifn_backend *backend = NULL;
    e2e_engine engine = {.model = NULL};
    ifn_status status = open_engine(self, way, &backend, &engine, err);
    r->first = malloc((size_t)(t->n_steps * t->n_vocab) * sizeof *r->first + 1);
    r->has_first = calloc((size_t)t->n_steps + 1, sizeof *r->has_first);
    if (status == IFN_OK && !(r->first && r->has_first))
        status = ifn_fail(err, IFN_ERR_NOMEM, "out of memory");
    if (status == IFN_OK)
        r->is_demanded = conform_is_invariant_throughout(backend, 2) &&
                         conform_is_invariant_throughout(backend, 3);
    for (int c = 0; status == IFN_OK && c < t->cuts.n; c++) {
        r->cut = &t->cuts.list[c];
        run_cut(r, &engine, results);
    }
    e2e_engine_close(&engine);
    ifn_backend_close(backend);
    free(r->first);
    free(r->has_first);
    return status;
}

void e2e_long_run(const e2e_trial *self, e2e_results *results)
{
    const e2e_truth *const t = self->truth;
    const e2e_way way = {.activations = t->mode.activations,
                         .kv = e2e_kv_of(t->mode.cache),
                         .is_forced = true,
                         .is_long = true};
    run r = {.truth = t, .statistics = e2e_results_row(results, &way), .cut = &t->cuts.list[0]};
    ifn_error err = {0};
    if (!r.statistics)
        return;
    if (!t->has_floor) {
        e2e_statistics_note(r.statistics,
                            "not run: too few variants of the arithmetic differ on so small a "
                            "model");
        return;
    }
    if (run_cuts(self, &r, &way, results, &err) == IFN_OK)
        return;
    begin(&r, results, &way);
    e2e_statistics_fail(r.statistics, E2E_STATUS, "%s: %s", t->name, err.text);
    e2e_results_end(results, r.statistics);
}
