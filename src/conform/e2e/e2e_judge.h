/*
 * Judges one step of a whole model against the truth by the rules of numerics 11: logits lie within eight times the
 * noise floor, tokens are judged by margins, KL lies within the bound of Hoeffding's lemma. Every rule is written as
 * "within", so that a NaN fails it.
 */
#ifndef CONFORM_E2E_JUDGE_H
#define CONFORM_E2E_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/token.h>

/* The largest error of logits, in sigma (11.2). A margin up to twice that is a near tie (11.3). */
#define E2E_SIGMAS 8.0

/* The rule that a step or a run breaks. */
typedef enum e2e_check {
    E2E_FINE,
    E2E_NOT_FINITE, /* a logit is NaN or infinite */
    E2E_LOGITS,     /* an error above 8 sigma, where the rule applies */
    E2E_TOKEN,      /* another token, and the margin does not excuse it */
    E2E_DECISION,   /* another token, but errors are below half the margin: the choice is wrong */
    E2E_KL,         /* above range^2 / 8 */
    E2E_CODES,      /* a narrowed row is not near the truth's */
    E2E_UNEQUAL,    /* two runs must have equal bits, or near logits, and do not */
    E2E_OP,         /* an op breaks its own contract */
    E2E_STATUS,     /* a call failed, or nothing was compared */
    E2E_DIED        /* the process of the run died or was too slow */
} e2e_check;

const char *e2e_check_name(e2e_check check); /* "logits", ... */

/* The truth of one step. */
typedef struct e2e_want {
    const double *truth; /* [n_vocab]: l* */
    int64_t n_vocab;
    double sigma;    /* of this step; or sigma_q of the calibration */
    bool is_bounded; /* the 8-sigma rule applies: all is f32, or codes are forced */
} e2e_want;

typedef struct e2e_step {
    ifn_token want, got; /* the argmax of the truth and of the logits */
    double error;        /* D: the largest |l - l*|; NaN if a logit is one */
    double allowed;      /* 8 sigma */
    double range;        /* R: largest minus smallest l - l* */
    double margin;       /* M: between the truth's best two tokens; infinite with one token */
    double kl;           /* KL(p* || p), nats */
    bool is_tie;         /* another token, accepted as the margin is at most 16 sigma */
    e2e_check check;
} e2e_step;

/* Judges logits [n_vocab], n_vocab >= 1. `got` is their argmax, the lowest index of equal ones. */
e2e_step e2e_judge_step(const e2e_want *want, const float *logits);

/* Judges the id that the engine itself chose from these logits. Sets got, is_tie and check. */
void e2e_judge_choice(e2e_step *step, ifn_token chosen);

/* Return the lowest index of the largest logit; a NaN never wins. */
ifn_token e2e_best_of(const double *logits, int64_t n);
ifn_token e2e_best_of_f32(const float *logits, int64_t n);

/* Returns KL(softmax(l*) || softmax(l)) with a relative error of about 1e-9, however small it is. NaN if a logit is. */
double e2e_kl(const double *truth, const float *logits, int64_t n_vocab);

#endif
