#include "first_bad.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "poisoned.h"
#include "search.h"

enum { DEFAULT_SAMPLE = 64, MAX_ROWS = 64 };

/* --- a run --- */

static ifn_status eval(ifn_context *context, const first_bad_mode *mode, ifn_backend *tap,
                       const ifn_token *ids, int64_t n, float *logits, ifn_error *err)
{
    const int64_t all[1] = {n};
    const int64_t *const chunks = mode->n_chunks ? mode->chunks : all;
    const int64_t n_chunks = mode->n_chunks ? mode->n_chunks : 1;
    int64_t at = 0;
    for (int64_t i = 0; i < n_chunks; i++) {
        if (chunks[i] < 1 || chunks[i] > n - at)
            return ifn_fail(err, IFN_ERR_ARGUMENT, "chunk %lld: %lld tokens, expected 1 to %lld",
                            (long long)i, (long long)chunks[i], (long long)(n - at));
        conform_tap_seek(tap, mode->kv == IFN_KV_OFF ? 0 : at);
        IFN_TRY(mode->last_logits
                    ? ifn_context_eval(context, ids + at, (size_t)chunks[i], err)
                    : ifn_context_eval_all(context, ids + at, (size_t)chunks[i], logits, err));
        at += chunks[i];
    }
    if (at != n)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "chunks of %lld tokens, expected %lld",
                        (long long)at, (long long)n);
    return IFN_OK;
}

ifn_status conform_run_mode(const ifn_model *model, ifn_backend *backend,
                            const first_bad_mode *mode, const ifn_token *ids, int64_t n,
                            void (*opened)(void *cookie), void *cookie, ifn_error *err)
{
    const ifn_context_params params = {
        .max_pos = n,
        .max_rows = mode->max_rows || mode->last_logits ? mode->max_rows : MAX_ROWS,
        .graph = mode->graph,
        .activations = mode->activations,
        .kv = mode->kv,
        .all_logits = !mode->last_logits};
    ifn_backend *poisoned = NULL;
    ifn_weights *weights = NULL;
    ifn_context *context = NULL;
    const size_t n_vocab = (size_t)ifn_model_hparams(model)->n_vocab;
    float *const logits = calloc((size_t)n * n_vocab, sizeof *logits);
    ifn_status status = logits ? IFN_OK : ifn_fail(err, IFN_ERR_NOMEM, "no memory for logits");
    if (status == IFN_OK)
        status = conform_poisoned_open(backend, &poisoned, err);
    if (status == IFN_OK)
        status = ifn_weights_open(model, poisoned, ifn_context_uses(model, &params), NULL, NULL,
                                  &weights, err);
    if (status == IFN_OK)
        status = ifn_context_open(weights, &params, NULL, &context, err);
    if (status == IFN_OK && opened)
        opened(cookie);
    if (status == IFN_OK)
        status = eval(context, mode, backend, ids, n, logits, err);
    ifn_context_close(context);
    ifn_weights_unref(weights);
    ifn_backend_close(poisoned);
    free(logits);
    return status;
}

/* --- a search --- */

/* Memory may have come back under another name. */
static void forget_memory(void *cookie)
{
    first_bad_search *const self = cookie;
    self->watch.n = 0;
}

static void empty_report(first_bad_report *r, ifn_backend *backend)
{
    *r = (first_bad_report){.layer = -1,
                            .pass = -1,
                            .op = IFN_OP_COUNT,
                            .ulp = -1,
                            .scalar_is_fine = -1,
                            .is_repeated = -1};
    snprintf(r->backend, sizeof r->backend, "%s", ifn_backend_expression(backend));
}

/* One run under the tap. A run that the search itself has ended is no error. */
static ifn_status search_once(first_bad_search *self, const first_bad_mode *mode,
                              const ifn_token *ids, int64_t n)
{
    ifn_backend *tap;
    ifn_error why = {0};
    const tap_hooks hooks = conform_search_hooks(self);
    empty_report(self->report, self->backend);
    self->watch.n = 0;
    IFN_TRY(conform_tap_open(self->backend, self->model, &hooks, &tap, self->err));
    const ifn_status status =
        conform_run_mode(self->model, tap, mode, ids, n, forget_memory, self, &why);
    ifn_backend_close(tap);
    if (self->status != IFN_OK || self->is_found || status == IFN_OK)
        return self->status;
    return ifn_fail(self->err, status, "%s", why.text);
}

static int is_sampled(const first_bad_report *r)
{
    return r->n_judged < r->n_total;
}

static ifn_status search(first_bad_search *self, const first_bad_mode *mode, const ifn_token *ids,
                         int64_t n, const first_bad_options *options)
{
    self->judge.sample = options->sample > 0 ? options->sample : DEFAULT_SAMPLE;
    IFN_TRY(search_once(self, mode, ids, n));
    if (self->is_found || options->is_quick || !is_sampled(self->report))
        return IFN_OK;
    self->judge.sample = 0;
    return search_once(self, mode, ids, n);
}

static ifn_status search_on(first_bad_search *self, const first_bad_mode *mode,
                            const ifn_token *ids, int64_t n, const first_bad_options *options)
{
    IFN_TRY(ifn_backend_open("scalar", NULL, &self->judge.scalar, self->err));
    conform_pool_init(&self->judge.pool);
    ifn_status status = search(self, mode, ids, n, options);
    if (status == IFN_OK && !self->is_found && !options->is_ops_only)
        status =
            conform_find_drift(self->model, self->backend, mode, ids, n, self->report, self->err);
    conform_pool_fini(&self->judge.pool);
    ifn_backend_close(self->judge.scalar);
    return status;
}

ifn_status conform_first_bad(const ifn_model *model, ifn_backend *backend,
                             const first_bad_mode *mode, const ifn_token *ids, int64_t n,
                             const first_bad_options *options, first_bad_report *out,
                             ifn_error *err)
{
    ifn_error unused;
    if (n < 1)
        return ifn_fail(err, IFN_ERR_ARGUMENT, "first bad op: %lld ids, expected at least 1",
                        (long long)n);
    first_bad_search *const self = calloc(1, sizeof *self);
    if (!self)
        return ifn_fail(err, IFN_ERR_NOMEM, "first bad op: out of memory");
    self->model = model;
    self->backend = self->judge.backend = backend;
    self->yaml = options->yaml;
    self->report = out;
    self->err = err ? err : &unused;
    const ifn_status status = search_on(self, mode, ids, n, options);
    conform_call_keep_close(&self->keep);
    free(self);
    return status;
}
