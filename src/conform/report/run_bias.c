#include "run_bias.h"

#include <math.h>

void conform_mean_add(conform_mean *self, double x)
{
    self->n++;
    self->sum += x;
    self->squares += x * x;
}

double conform_mean_value(const conform_mean *self)
{
    return self->n ? self->sum / (double)self->n : 0;
}

double conform_mean_error(const conform_mean *self)
{
    const double n = (double)self->n;
    if (self->n < 2)
        return 0;
    const double spread = self->squares - self->sum * self->sum / n;
    return spread > 0 ? sqrt(spread / (n - 1) / n) : 0;
}

int conform_mean_is_biased(const conform_mean *self, const conform_mean *lean)
{
    if (self->n < BIAS_ENOUGH)
        return 0;
    const double off = fabs(conform_mean_value(self)), error = conform_mean_error(self);
    return !(off <= BIAS_ERRORS * error || off <= conform_mean_value(lean) + LEAN_ERRORS * error);
}

void conform_count_bias(conform_kind *kind, const conform_case *c, const conform_verdict *v)
{
    if (c->tier != TIER_T2 || v->outcome != OUTCOME_PASS || v->n_signed == 0)
        return;
    const double root = sqrt(v->signed_squares), unit = root > 0 ? root : 1;
    const double most = sqrt((double)v->n_signed); /* the sample if all errors are equal */
    conform_mean_add(&kind->bias, v->signed_sum / unit);
    conform_mean_add(&kind->outward, v->outward_sum / unit);
    conform_mean_add(&kind->lean, fmin(most, v->lean_sum / unit + most / BIAS_SHARE));
}
