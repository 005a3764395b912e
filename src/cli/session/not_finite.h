/* Ends a command if logits are not finite, with one line that names the step and the first op whose result is not
 * finite. */
#ifndef IFN_CLI_NOT_FINITE_H
#define IFN_CLI_NOT_FINITE_H

#include "session.h"

/* What is needed to repeat the run. */
typedef struct not_finite_run {
    const session *session;
    const ifn_context_params *params;
    const ifn_token *ids; /* [n]: all ids of the sequence up to these logits */
    size_t n;
} not_finite_run;

/* Returns IFN_ERR_NUMERIC if one of logits [n_vocab] of the last id is NaN or infinite. In that case it evaluates the
 * ids again on the same backend inside `check`. The line names the first op with such a result, which of its inputs
 * were not finite, and the last weight before it, whose name tells the layer. */
ifn_status not_finite_check(const not_finite_run *run, const float *logits, ifn_error *err);

/* The same for the current logits of the context, which it reads into room [n_vocab]. */
ifn_status not_finite_check_context(const not_finite_run *run, float *room, ifn_error *err);

#endif
