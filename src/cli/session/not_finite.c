#include "not_finite.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <inferno/check.h>

/* Repeats the run in a session of its own, which shares the model. */
static int look_back(const not_finite_run *run, ifn_error *finding)
{
    if (ifn_check_finding(run->session->backend, finding)) /* the first run had `check` already */
        return 1;
    char expression[512];
    session again = {.model = run->session->model, .no_prepare = run->session->no_prepare};
    ifn_error unused;
    const int length = snprintf(expression, sizeof expression, "check=stop:%s",
                                ifn_backend_expression(run->session->backend));
    if (length < 0 || (size_t)length >= sizeof expression)
        return 0;
    ifn_status status = session_open_backend(&again, expression, 0, &unused);
    if (status == IFN_OK)
        status = session_open_context(&again, run->params, NULL, &unused);
    if (status == IFN_OK) /* it fails where the op does that the finding is of */
        status = ifn_context_eval(again.context, run->ids, run->n, &unused);
    const bool is_found =
        status != IFN_OK && again.backend && ifn_check_finding(again.backend, finding);
    ifn_context_close(again.context);
    ifn_weights_unref(again.weights);
    ifn_backend_close(again.backend);
    return is_found;
}

ifn_status not_finite_check(const not_finite_run *run, const float *logits, ifn_error *err)
{
    const int64_t n_vocab = ifn_model_hparams(run->session->model)->n_vocab;
    int64_t i = 0;
    ifn_error finding;
    while (i < n_vocab && isfinite(logits[i]))
        i++;
    if (i == n_vocab)
        return IFN_OK;
    const char *const what = isnan(logits[i]) ? "nan" : "inf";
    if (!look_back(run, &finding))
        return ifn_fail(err, IFN_ERR_NUMERIC,
                        "position %zu: logit %" PRId64 " is %s; a second run has found no op with "
                        "such a result",
                        run->n - 1, i, what);
    return ifn_fail(err, IFN_ERR_NUMERIC, "position %zu: logit %" PRId64 " is %s; first: %s",
                    run->n - 1, i, what, finding.text);
}

ifn_status not_finite_check_context(const not_finite_run *run, float *room, ifn_error *err)
{
    IFN_TRY(ifn_context_logits(run->session->context, room, err));
    return not_finite_check(run, room, err);
}
