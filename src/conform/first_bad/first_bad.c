#include "first_bad.h"

#include <stdio.h>
#include <stdlib.h>

#include "find_call.h"
#include "find_drift.h"

enum { DEFAULT_SAMPLE = 64 };

/* Forgets what was written while weights were prepared: freed memory may have been allocated again. */
static void forget_memory(void *cookie)
{
    first_bad_search *const self = cookie;
    self->watch.n = 0;
}

static void empty_finding(first_bad_finding *r, ifn_backend *backend)
{
    *r = (first_bad_finding){
        .layer = -1, .pass = -1, .op = IFN_OP_COUNT, .ulp = -1, .scalar_is_fine = -1};
    snprintf(r->backend, sizeof r->backend, "%s", ifn_backend_expression(backend));
}

/* Makes one run under the tap. If the search itself ended the run, that is no error. */
static ifn_status search_once(first_bad_search *self, const first_bad_mode *mode,
                              const ifn_token *ids, int64_t n)
{
    ifn_backend *tap;
    ifn_error why = {0};
    const tap_hooks hooks = conform_search_hooks(self);
    empty_finding(self->finding, self->backend);
    self->watch.n = 0;
    IFN_TRY(conform_tap_open(self->backend, self->model, &hooks, &tap, self->err));
    const ifn_status status =
        conform_run_mode(self->model, tap, mode, ids, n, forget_memory, self, &why);
    ifn_backend_close(tap);
    if (self->status != IFN_OK || self->is_found || status == IFN_OK)
        return self->status;
    return ifn_fail(self->err, status, "%s", why.text);
}

static bool is_sampled(const first_bad_finding *r)
{
    return r->n_judged < r->n_total;
}

static ifn_status search(first_bad_search *self, const first_bad_mode *mode, const ifn_token *ids,
                         int64_t n, const first_bad_options *options)
{
    self->judge.sample = options->sample > 0 ? options->sample : DEFAULT_SAMPLE;
    IFN_TRY(search_once(self, mode, ids, n));
    if (self->is_found || options->is_quick || !is_sampled(self->finding))
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
            conform_find_drift(self->model, self->backend, mode, ids, n, self->finding, self->err);
    conform_pool_fini(&self->judge.pool);
    ifn_backend_close(self->judge.scalar);
    return status;
}

ifn_status conform_first_bad(const ifn_model *model, ifn_backend *backend,
                             const first_bad_mode *mode, const ifn_token *ids, int64_t n,
                             const first_bad_options *options, first_bad_finding *out,
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
    self->finding = out;
    self->err = err ? err : &unused;
    const ifn_status status = search_on(self, mode, ids, n, options);
    conform_call_keep_close(&self->keep);
    free(self);
    return status;
}
