#include "e2e_judge.h"

#include <math.h>
#include <stdbool.h>

/* Relative allowance for the rounding of e2e_kl, as Hoeffding's lemma may hold with equality. */
#define KL_ROUNDING 1e-8

const char *e2e_check_name(e2e_check check)
{
    static const char *const names[] = {"fine",  "not-finite", "logits", "token",  "decision", "kl",
                                        "codes", "unequal",    "op",     "status", "died"};
    return (unsigned)check < sizeof names / sizeof *names ? names[check] : "?";
}

ifn_token e2e_best_of(const double *logits, int64_t n)
{
    int64_t best = 0;
    for (int64_t i = 1; i < n; i++)
        if (logits[i] > logits[best] || (isnan(logits[best]) && !isnan(logits[i])))
            best = i;
    return (ifn_token)best;
}

ifn_token e2e_best_of_f32(const float *logits, int64_t n)
{
    int64_t best = 0;
    for (int64_t i = 1; i < n; i++)
        if (logits[i] > logits[best] || (isnan(logits[best]) && !isnan(logits[i])))
            best = i;
    return (ifn_token)best;
}

/* Returns e^t - 1 - t; for small t by its series, as the difference would cancel. */
static double excess(double t)
{
    return fabs(t) < 1e-4 ? t * t * (0.5 + t * (1.0 / 6.0 + t / 24.0)) : expm1(t) - t;
}

/*
 * With d = l - l* and m its mean under p*, KL = log sum_i p*_i e^(d_i - m) = log1p of the mean of
 * excess(d_i - m): every term is positive, so nothing cancels.
 */
double e2e_kl(const double *truth, const float *logits, int64_t n_vocab)
{
    const double top = truth[e2e_best_of(truth, n_vocab)];
    double whole = 0, mean = 0, sum = 0;
    for (int64_t i = 0; i < n_vocab; i++) {
        const double p = exp(truth[i] - top);
        whole += p;
        mean += p * ((double)logits[i] - truth[i]);
    }
    mean /= whole;
    for (int64_t i = 0; i < n_vocab; i++)
        sum += exp(truth[i] - top) * excess((double)logits[i] - truth[i] - mean);
    return log1p(sum / whole);
}

/* Returns the margin between the best two logits. */
static double margin_of(const double *truth, int64_t n, ifn_token best)
{
    double second = -(double)INFINITY;
    for (int64_t i = 0; i < n; i++)
        if (i != best && truth[i] > second)
            second = truth[i];
    return truth[best] - second;
}

static int measure(e2e_step *step, const double *truth, const float *logits, int64_t n)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    bool is_finite = true;
    for (int64_t i = 0; i < n; i++) {
        const double d = (double)logits[i] - truth[i];
        is_finite &= isfinite(d) != 0;
        low = d < low ? d : low;
        high = d > high ? d : high;
    }
    step->error = is_finite ? fmax(fabs(low), fabs(high)) : (double)NAN;
    step->range = is_finite ? high - low : (double)NAN;
    return is_finite;
}

/* The rule of numerics 11.3. With a NaN among the numbers another token is never accepted. */
void e2e_judge_choice(e2e_step *step, ifn_token chosen)
{
    step->got = chosen;
    step->is_tie = false;
    if (step->check != E2E_FINE || chosen == step->want)
        return;
    if (step->margin > 2 * step->error)
        step->check = E2E_DECISION;
    else if (step->margin <= 2 * step->allowed)
        step->is_tie = true;
    else
        step->check = E2E_TOKEN;
}

e2e_step e2e_judge_step(const e2e_want *want, const float *logits)
{
    const int64_t n = want->n_vocab;
    e2e_step step = {.want = e2e_best_of(want->truth, n),
                     .got = e2e_best_of_f32(logits, n),
                     .allowed = E2E_SIGMAS * want->sigma};
    const bool is_finite = measure(&step, want->truth, logits, n);
    step.margin = margin_of(want->truth, n, step.want);
    step.kl = e2e_kl(want->truth, logits, n);
    if (!is_finite)
        step.check = E2E_NOT_FINITE;
    else if (want->is_bounded && !(step.error <= step.allowed))
        step.check = E2E_LOGITS;
    e2e_judge_choice(&step, step.got);
    if (step.check == E2E_FINE && !(step.kl <= step.range * step.range / 8 * (1 + KL_ROUNDING)))
        step.check = E2E_KL;
    return step;
}
