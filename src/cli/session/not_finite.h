/* Logits that are not finite end a command in one line: the step, and what was the first to be so.
 */
#ifndef IFN_CLI_NOT_FINITE_H
#define IFN_CLI_NOT_FINITE_H

#include "session.h"

/* What was run, should it have to be run again. */
typedef struct not_finite_run {
    const session *session;
    const ifn_context_params *params;
    const ifn_token *ids; /* [n]: all that led to these logits */
    size_t n;
} not_finite_run;

/* IFN_ERR_NUMERIC if one of logits [n_vocab] of the last id is NaN or infinite. Then the ids are
 * run once more on the same backend under `check`, and the line says which op was the first with
 * such a result, what of its inputs was so already, and the last weight before it, which has the
 * layer in its name. */
ifn_status not_finite_check(const not_finite_run *run, const float *logits, ifn_error *err);

/* The same for the logits that the context has now, read into room [n_vocab]. */
ifn_status not_finite_check_context(const not_finite_run *run, float *room, ifn_error *err);

#endif
