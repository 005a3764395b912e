/* The state of one text being generated: its ids so far, and how the next is chosen. The owner evaluates the new ids.
 * */
#ifndef IFN_CLI_PROGRESSION_H
#define IFN_CLI_PROGRESSION_H

#include "generation.h"
#include "metrics.h"

/* All zero is closed. */
typedef struct progression {
    const generation_params *params;
    ifn_sampler sampler;
    ifn_token *ids;   /* [n], owned: prompt and continuation */
    size_t n, n_new;  /* n_new: how many of the last ids are not evaluated yet */
    float *logits;    /* room for one row */
    int32_t sequence; /* its sequence in the context */
    int64_t n_chosen;
    bool is_over;
    generation_stop stop; /* if it is over */
} progression;

/* Ids of the prompt that the sequence already has are not evaluated again. */
ifn_status progression_open(progression *p, const generation_params *params, int32_t sequence,
                            ifn_error *err);
void progression_close(progression *p);

/* Chooses the next id from the logits of the sequence. All of `ids` must be evaluated. */
ifn_status progression_choose(progression *p, ifn_token *id, float *prob, ifn_error *err);
/* Calls the listener for an id, and appends the id unless it is the last. */
ifn_status progression_accept(progression *p, ifn_token id, float prob, ifn_error *err);

/*
 * Generates a text in sequence 0 of the session's context: evaluates, chooses an id, calls the listener, and repeats.
 * The listener hears of an end token, too; it is the last id.
 * Errors  IFN_ERR_NUMERIC: logits that are not finite (not_finite.h)
 */
ifn_status progression_run(const generation_params *params, generation_stop *stop, metrics *times,
                           ifn_error *err);

#endif
