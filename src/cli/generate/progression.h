/* One text on its way: its ids so far, and how the next is chosen. Who owns it evaluates what is new. */
#ifndef IFN_CLI_PROGRESSION_H
#define IFN_CLI_PROGRESSION_H

#include "generation.h"
#include "metrics.h"

/* All zero is closed. */
typedef struct progression {
    const generation_params *params;
    ifn_sampler sampler;
    ifn_token *ids;   /* [n], owned: prompt and continuation */
    size_t n, n_new;  /* n_new: the last of them, which the sequence has not yet */
    float *logits;    /* room for a row of them */
    int32_t sequence; /* of the context */
    int64_t n_chosen;
    bool is_over;
    generation_stop stop; /* if it is over */
} progression;

/* What of the prompt the sequence has already is not evaluated again. */
ifn_status progression_open(progression *p, const generation_params *params, int32_t sequence,
                            ifn_error *err);
void progression_close(progression *p);

/* From the logits that the sequence has now, which is all that is in `ids`. */
ifn_status progression_choose(progression *p, ifn_token *id, float *prob, ifn_error *err);
/* Tells of an id, and goes on with it unless it is the last. */
ifn_status progression_accept(progression *p, ifn_token id, float prob, ifn_error *err);

/*
 * Makes a text in sequence 0 of the session's context: evaluate, choose, tell, again. An end token is
 * told of as well, and is the last.
 * Errors  IFN_ERR_NUMERIC: logits that are not finite (not_finite.h)
 */
ifn_status progression_run(const generation_params *params, generation_stop *stop, metrics *times,
                           ifn_error *err);

#endif
