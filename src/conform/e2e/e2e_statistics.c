#include "e2e_statistics.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int bin_of(double kl)
{
    if (!(kl > 0))
        return 0;
    const double bin = (log2(kl) - E2E_KL_LOWEST) * 16;
    return bin < 0 ? 0 : bin >= E2E_KL_BINS - 1 ? E2E_KL_BINS - 1 : (int)bin;
}

/* Returns the 99th percentile of KL: the upper edge of its bin, at most the maximum. */
static double percentile(const e2e_statistics *self)
{
    const int64_t enough = (self->row.steps * 99 + 99) / 100;
    int64_t n = 0;
    for (int i = 0; i < E2E_KL_BINS; i++) {
        n += self->kl_bins[i];
        if (n >= enough)
            return fmin(exp2((double)(i + 1) / 16 + E2E_KL_LOWEST), self->row.kl_max);
    }
    return self->row.kl_max;
}

void e2e_statistics_begin(e2e_statistics *self)
{
    self->is_failed = false;
    self->steps_before = self->row.steps;
}

void e2e_statistics_end(e2e_statistics *self, const char *where)
{
    e2e_row *const row = &self->row;
    if (row->steps == self->steps_before && !self->is_failed)
        e2e_statistics_fail(self, E2E_STATUS, "%s: no step was compared, expected one or more",
                            where);
    row->runs++;
    row->failed += self->is_failed;
    row->kl_mean = row->steps ? self->kl_sum / (double)row->steps : 0;
    row->kl_99 = percentile(self);
}

void e2e_statistics_fail(e2e_statistics *self, e2e_check check, const char *format, ...)
{
    e2e_row *const row = &self->row;
    va_list list;
    self->is_failed = true;
    if (row->check[0])
        return;
    snprintf(row->check, sizeof row->check, "%s", e2e_check_name(check));
    va_start(list, format);
    vsnprintf(row->detail, sizeof row->detail, format, list);
    va_end(list);
}

static void explain(e2e_statistics *self, const e2e_step *s, int64_t position, const char *where)
{
    const long long at = (long long)position;
    switch (s->check) {
    case E2E_NOT_FINITE:
        e2e_statistics_fail(self, s->check, "%s, step %lld: a logit is not finite", where, at);
        break;
    case E2E_LOGITS:
        e2e_statistics_fail(self, s->check,
                            "%s, step %lld: logits are off by %.3e, expected at most "
                            "%.3e (8 sigma)",
                            where, at, s->error, s->allowed);
        break;
    case E2E_KL:
        e2e_statistics_fail(self, s->check, "%s, step %lld: KL %.3e, expected at most %.3e", where,
                            at, s->kl, s->range * s->range / 8);
        break;
    default:
        e2e_statistics_fail(self, s->check,
                            "%s, step %lld: token %d, expected %d: margin %.3e, error "
                            "%.3e, near ties end at %.3e",
                            where, at, (int)s->got, (int)s->want, s->margin, s->error,
                            2 * s->allowed);
        break;
    }
}

/* Returns the larger number; keeps a NaN in `a`. */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

void e2e_statistics_step(e2e_statistics *self, const e2e_step *step, int64_t position,
                         const char *where)
{
    e2e_row *const row = &self->row;
    const double ratio = step->error == 0 ? 0 : step->error / step->allowed;
    row->steps++;
    row->ties += step->is_tie;
    row->worst = larger(row->worst, ratio);
    row->kl_max = larger(row->kl_max, step->kl);
    self->kl_sum += step->kl;
    self->kl_bins[bin_of(step->kl)]++;
    if (step->check != E2E_FINE)
        explain(self, step, position, where);
}

void e2e_statistics_relation(e2e_statistics *self, bool is_equal, bool is_demanded,
                             const char *where)
{
    self->row.tried++;
    self->row.held += is_equal;
    self->row.demanded += is_demanded;
    if (is_demanded && !is_equal)
        e2e_statistics_fail(self, E2E_UNEQUAL,
                            "%s: other bits than in one chunk, expected equal ones as declared",
                            where);
}

void e2e_statistics_codes(e2e_statistics *self, const e2e_forced *forced, double most_steps,
                          bool is_forced, const char *where)
{
    if (!(forced->worst <= most_steps))
        e2e_statistics_fail(self, E2E_CODES,
                            "%s, %s: %.3g steps from the truth's codes, expected at most %.3g",
                            where, forced->where, forced->worst, most_steps);
    if (is_forced && forced->n_replaced == 0)
        e2e_statistics_fail(self, E2E_CODES, "%s: no row was narrowed, expected some", where);
}

void e2e_statistics_note(e2e_statistics *self, const char *format, ...)
{
    va_list list;
    if (self->row.failed || self->is_failed)
        return;
    va_start(list, format);
    vsnprintf(self->row.detail, sizeof self->row.detail, format, list);
    va_end(list);
}
