#include "run_mode.h"

#include <stdlib.h>

#include "poisoned.h"
#include "tap.h"

enum { MAX_ROWS = 64 };

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
    const ifn_context_params params =
        IFN_SIZED(ifn_context_params, .max_pos = n,
                  .max_rows = mode->max_rows || mode->last_logits ? mode->max_rows : MAX_ROWS,
                  .graph = mode->graph, .activations = mode->activations, .kv = mode->kv,
                  .all_logits = !mode->last_logits);
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
