/*
 * One step of a whole model against its truth, by the rules of numerics 11: logits within eight
 * times the noise floor, tokens by margins, KL within what Hoeffding's lemma allows. Every rule is
 * written as "within", so a NaN fails it.
 */
#ifndef CONFORM_E2E_JUDGE_H
#define CONFORM_E2E_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/token.h>

/* Logits may be off by so many sigma (11.2); a margin is a near tie up to twice that (11.3). */
#define E2E_SIGMAS 8.0

/* What of a step, or of a run, is not within. */
typedef enum e2e_check {
    E2E_FINE,
    E2E_NOT_FINITE, /* a logit is NaN or infinite */
    E2E_LOGITS,     /* an error above 8 sigma, where the rule applies */
    E2E_TOKEN,      /* another token, and the margin does not excuse it */
    E2E_DECISION,   /* another token, and no logit is off by so much: the choice itself is wrong */
    E2E_KL,         /* above range^2 / 8 */
    E2E_CODES,      /* a narrowed row is not near the truth's */
    E2E_UNEQUAL,    /* bits that a relation between runs demands, or logits that it wants near */
    E2E_OP,         /* an op breaks its own contract */
    E2E_STATUS,     /* a call failed, or nothing was compared */
    E2E_DIED        /* the process that ran it did */
} e2e_check;

const char *e2e_check_name(e2e_check check); /* "logits", ... */

/* What is known of one step before any backend runs. */
typedef struct e2e_want {
    const double *truth; /* [n_vocab]: l* */
    int64_t n_vocab;
    double sigma;    /* of this step; or sigma_q of the calibration */
    bool is_bounded; /* the 8-sigma rule applies: f32 throughout, or codes forced */
} e2e_want;

typedef struct e2e_step {
    ifn_token want, got; /* the argmax of the truth and of the logits */
    double error;        /* D: the largest |l - l*|; NaN if a logit is one */
    double allowed;      /* 8 sigma */
    double range;        /* R: largest minus smallest l - l* */
    double margin;       /* M: of the best two of the truth; infinite with one token */
    double kl;           /* KL(p* || p), nats */
    bool is_tie;         /* another token, accepted: the margin is at most 16 sigma */
    e2e_check check;
} e2e_step;

/* logits [n_vocab], n_vocab >= 1. The token is that of the logits, the lowest of equal ones. */
e2e_step e2e_judge_step(const e2e_want *want, const float *logits);

/* Judges the id that the engine has chosen itself from these logits. Sets got, is_tie and check. */
void e2e_judge_choice(e2e_step *step, ifn_token chosen);

/* The lowest index of the largest; NaN never wins. */
ifn_token e2e_best_of(const double *logits, int64_t n);
ifn_token e2e_best_of_f32(const float *logits, int64_t n);

/* KL(softmax(l*) || softmax(l)); exact to about 1e-9 of itself however small. NaN where l is. */
double e2e_kl(const double *truth, const float *logits, int64_t n_vocab);

#endif
