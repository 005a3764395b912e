/*
 * The truth against which backends are judged: ids, their f64 logits, the noise floor of each step, and the truth's
 * codes. It is computed once for each model, mode, prompt and declared arithmetic; backends share it.
 */
#ifndef CONFORM_E2E_TRUTH_H
#define CONFORM_E2E_TRUTH_H

#include <stdbool.h>

#include "e2e_cuts.h"
#include "noise_floor.h"

enum { E2E_JOLTED_RUNS = 32 }; /* the fewest that numerics 11.2 allows */

typedef struct e2e_prompt {
    const char *name; /* "text", "random-1", the name of a golden file */
    const ifn_token *ids;
    int64_t n, n_new;        /* ids of the prompt; how many follow */
    const ifn_token *follow; /* [n_new] given continuation; NULL: scalar generates it greedily */
    const e2e_cuts *cuts;    /* long prompt: ends of chunks are judged; NULL: every position */
} e2e_prompt;

typedef struct e2e_truth {
    const ifn_model *model;
    conform_truth_mode mode;             /* activations F32 or Q8; no jolt */
    const conform_arithmetics *declared; /* the floors are for it; NULL: f32. Borrowed */
    char name[48];                       /* of the prompt */
    int64_t n_prompt, n;                 /* ids of the prompt, ids in all */
    int64_t n_vocab;
    ifn_token *ids;    /* [n] */
    e2e_cuts cuts;     /* of a long prompt; none: every position is a step */
    int64_t n_steps;   /* positions whose logits are known */
    int64_t *steps;    /* [n_steps] of a long prompt, rising; NULL: all */
    double *logits;    /* [n_steps, n_vocab] */
    double *sigma;     /* [n_steps]: noise floor of f32 runs and of runs with forced codes */
    double sigma_q;    /* noise floor of free runs, if has_free */
    double most_steps; /* limit of e2e_forced.worst */
    bool has_floor;    /* sigma is calibrated: enough variants differ (a tiny model has too few) */
    bool is_narrow;    /* the mode narrows something, so there are codes */
    bool has_free;     /* sigma_q is calibrated */
    e2e_codes codes;
    const char *variants[CONFORM_NOISE_RUNS]; /* names of the variants that made sigma; static */
} e2e_truth;

/*
 * Continues the prompt greedily with scalar in this mode, computes the f64 logits of all ids, and calibrates the noise
 * floor by variants in the declared arithmetic (NULL: f32): sigma always, sigma_q if with_free and the mode narrows
 * something. For a long prompt the cache is forced whatever its dtype, and only the last positions of chunks are steps.
 */
IFN_NODISCARD ifn_status e2e_truth_open(e2e_truth *self, const ifn_model *model,
                                        const conform_truth_mode *mode,
                                        const conform_arithmetics *declared,
                                        const e2e_prompt *prompt, bool with_free, ifn_error *err);
void e2e_truth_close(e2e_truth *self); /* fine after a failure */

#endif
