#include "e2e_replay.h"

#include <math.h>

#include "first_bad.h"

static ifn_status search(const e2e_trial *self, const e2e_way *way, first_bad_finding *finding,
                         ifn_error *err)
{
    const first_bad_options options = {.is_quick = 1, .is_ops_only = 1};
    const first_bad_mode mode = {
        .graph = way->graph, .activations = way->activations, .kv = way->kv};
    const e2e_truth *const t = self->truth;
    ifn_backend *backend;
    IFN_TRY(self->open(self->backend, 0, &backend, err));
    const ifn_status status =
        conform_first_bad(t->model, backend, &mode, t->ids, t->n, &options, finding, err);
    ifn_backend_close(backend);
    return status;
}

static void judge(e2e_statistics *statistics, const e2e_truth *truth, const first_bad_finding *r)
{
    e2e_row *const row = &statistics->row;
    row->steps += truth->n;
    row->worst = fmax(row->worst, r->kind == FIRST_BAD_NONE ? r->largest_ratio : r->ratio);
    if (r->kind != FIRST_BAD_NONE)
        e2e_statistics_fail(statistics, E2E_OP, "%s: %s of layer %lld, op %s, breaks its contract",
                            truth->name, r->point, (long long)r->layer, ifn_op_name(r->op));
}

void e2e_replay_run(const e2e_trial *self, e2e_results *results)
{
    const e2e_truth *const t = self->truth;
    const e2e_way way = {
        .activations = t->mode.activations, .kv = e2e_kv_of(t->mode.cache), .is_replay = true};
    e2e_statistics *const statistics = e2e_results_row(results, &way);
    first_bad_finding finding;
    ifn_error err = {0};
    if (!statistics)
        return;
    results->now = (e2e_again){.way = way};
    e2e_results_begin(results, statistics, t->name);
    if (search(self, &way, &finding, &err) == IFN_OK)
        judge(statistics, t, &finding);
    else
        e2e_statistics_fail(statistics, E2E_STATUS, "%s: %s", t->name, err.text);
    e2e_results_end(results, statistics);
}
