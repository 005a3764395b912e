/*
 * What every backend is held against: ids, the f64 logits of each of them, the noise floor of each
 * step, and the truth's codes. Made once for a model, a mode, a prompt and what is declared of
 * arithmetic; backends share it.
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
    const ifn_token *follow; /* [n_new] that others have found; NULL: greedily, by scalar */
    const e2e_cuts *cuts;    /* of a long prompt: what is heard of it; NULL: every position is */
} e2e_prompt;

typedef struct e2e_truth {
    const ifn_model *model;
    conform_truth_mode mode;             /* activations F32 or Q8; no jolt */
    const conform_arithmetics *declared; /* of the floors; NULL: f32. Borrowed */
    char name[48];                       /* of the prompt */
    int64_t n_prompt, n;                 /* ids of the prompt, ids in all */
    int64_t n_vocab;
    ifn_token *ids;    /* [n] */
    e2e_cuts cuts;     /* of a long prompt; none: every position is a step */
    int64_t n_steps;   /* positions whose logits are known */
    int64_t *steps;    /* [n_steps] of a long prompt, rising; NULL: all */
    double *logits;    /* [n_steps, n_vocab] */
    double *sigma;     /* [n_steps]: for f32 runs and forced codes */
    double sigma_q;    /* for free runs, if has_free */
    double most_steps; /* that a row may be from the truth's before its codes are forced */
    bool has_floor;    /* sigma is calibrated: enough variants differ (a tiny model has too few) */
    bool is_narrow;    /* something is narrowed */
    bool has_free;     /* and free runs are calibrated */
    e2e_codes codes;
    const char *variants[CONFORM_NOISE_RUNS]; /* after sigma; static */
} e2e_truth;

/*
 * Continues the prompt greedily with scalar in this mode, takes the f64 logits of all ids, and
 * calibrates by variants in the declared arithmetic (NULL: f32): sigma always, sigma_q if with_free and the mode narrows something. Of a long prompt
 * the cache is forced whatever it holds, and the steps are the last positions of its chunks.
 */
IFN_NODISCARD ifn_status e2e_truth_open(e2e_truth *self, const ifn_model *model,
                                        const conform_truth_mode *mode,
                                        const conform_arithmetics *declared,
                                        const e2e_prompt *prompt, bool with_free, ifn_error *err);
void e2e_truth_close(e2e_truth *self); /* fine after a failure */

#endif
