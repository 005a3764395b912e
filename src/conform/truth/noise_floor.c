#include "noise_floor.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "fnv1a.h"
#include "variants.h"

enum { MAX_RUNS = 64 };

ifn_status conform_run_model(const ifn_model *model, ifn_backend *backend, const ifn_token *ids,
                             int64_t n, const ifn_allocator *alloc, float *out, ifn_error *err)
{
    const ifn_context_params params =
        IFN_SIZED(ifn_context_params, .max_pos = n, .graph = IFN_GRAPH_FUSED,
                  .activations = IFN_ACTIVATIONS_F32, .kv = IFN_KV_F32, .all_logits = 1);
    ifn_weights *weights = NULL;
    ifn_context *context = NULL;
    ifn_status status = ifn_weights_open(model, backend, ifn_context_uses(model, &params), NULL,
                                         alloc, &weights, err);
    if (status == IFN_OK)
        status = ifn_context_open(weights, &params, alloc, &context, err);
    if (status == IFN_OK)
        status = ifn_context_eval_all(context, ids, (size_t)n, out, err);
    ifn_context_close(context);
    ifn_weights_unref(weights);
    return status;
}

/* A digest of the logits of a run, to tell runs apart without keeping them. */
static uint64_t digest(const float *x, int64_t n)
{
    uint64_t h = FNV1A_START;
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        h = fnv1a_word(h, bits);
    }
    return h;
}

static bool is_new(const uint64_t *seen, int n, uint64_t one)
{
    for (int i = 0; i < n; i++)
        if (seen[i] == one)
            return false;
    return true;
}

/* Raises sigma to the errors of this run. A NaN makes it NaN for good, and a NaN bound accepts nothing. */
static void raise_floor(const float *logits, const double *truth, int64_t n, int64_t n_vocab,
                        double *sigma)
{
    for (int64_t i = 0; i < n * n_vocab; i++) {
        const double error = fabs((double)logits[i] - truth[i]);
        if (!(error <= sigma[i / n_vocab]) && !isnan(sigma[i / n_vocab]))
            sigma[i / n_vocab] = error;
    }
}

typedef struct calibration {
    conform_noise_run run;
    void *cookie;
    const conform_arithmetics *declared;
    int64_t n, n_vocab;
    const double *truth;
    const ifn_allocator *alloc;
} calibration;

static ifn_status run_variant(const calibration *c, int index, float *logits, ifn_error *err)
{
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .alloc = c->alloc);
    ifn_backend *backend = NULL;
    IFN_TRY(conform_variant_open(index, c->declared, &options, &backend, err));
    const ifn_status status = c->run(c->cookie, backend, logits, err);
    ifn_backend_close(backend);
    return status;
}

static ifn_status calibrate(const calibration *c, int n_runs, float *logits, double *sigma,
                            const char **variants, int *n_distinct, ifn_error *err)
{
    uint64_t seen[MAX_RUNS];
    *n_distinct = 0;
    for (int i = 0; i < conform_variant_count() && *n_distinct < n_runs; i++) {
        IFN_TRY(run_variant(c, i, logits, err));
        const uint64_t one = digest(logits, c->n * c->n_vocab);
        if (!is_new(seen, *n_distinct, one))
            continue;
        if (variants)
            variants[*n_distinct] = conform_variant_desc(i)->name;
        seen[(*n_distinct)++] = one;
        raise_floor(logits, c->truth, c->n, c->n_vocab, sigma);
    }
    return IFN_OK;
}

ifn_status conform_noise_floor_of(conform_noise_run run, void *cookie,
                                  const conform_arithmetics *declared, int64_t n, int64_t n_vocab,
                                  const double *truth, int n_runs, const ifn_allocator *alloc,
                                  double *sigma, const char **variants, int *n_distinct,
                                  ifn_error *err)
{
    if (n < 1 || n_runs < 1 || n_runs > MAX_RUNS)
        return ifn_fail(err, IFN_ERR_ARGUMENT,
                        "noise floor: %lld ids and %d runs, expected ids and 1 to %d runs",
                        (long long)n, n_runs, (int)MAX_RUNS);
    if (!alloc)
        alloc = ifn_default_allocator();
    const size_t bytes = (size_t)(n * n_vocab) * sizeof(float);
    float *const logits = alloc->alloc(alloc->cookie, bytes, 64);
    if (!logits)
        return ifn_fail(err, IFN_ERR_NOMEM, "noise floor: no memory for %llu bytes of logits",
                        (unsigned long long)bytes);
    for (int64_t i = 0; i < n; i++)
        sigma[i] = 0;
    const ifn_status status =
        calibrate(&(calibration){run, cookie, declared, n, n_vocab, truth, alloc}, n_runs, logits,
                  sigma, variants, n_distinct, err);
    alloc->free(alloc->cookie, logits, bytes);
    return status;
}

typedef struct plain_run {
    const ifn_model *model;
    const ifn_token *ids;
    int64_t n;
    const ifn_allocator *alloc;
} plain_run;

static ifn_status run_plain(void *cookie, ifn_backend *variant, float *logits, ifn_error *err)
{
    const plain_run *const r = cookie;
    return conform_run_model(r->model, variant, r->ids, r->n, r->alloc, logits, err);
}

ifn_status conform_noise_floor(const ifn_model *model, const ifn_token *ids, int64_t n,
                               const double *truth, int n_runs, const ifn_allocator *alloc,
                               double *sigma, const char **variants, ifn_error *err)
{
    plain_run r = {model, ids, n, alloc ? alloc : ifn_default_allocator()};
    int n_distinct;
    IFN_TRY(conform_noise_floor_of(run_plain, &r, NULL, n, ifn_model_hparams(model)->n_vocab, truth,
                                   n_runs, alloc, sigma, variants, &n_distinct, err));
    if (n_distinct == n_runs)
        return IFN_OK;
    return ifn_fail(err, IFN_ERR_ARGUMENT, "noise floor: %d variants differ, expected %d",
                    n_distinct, n_runs);
}
