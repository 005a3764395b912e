/* Computes scores and weights of attention in f64 (numerics 7.7): from the last component to the first, all visible
 * keys at once. */
#include "attention_row.h"

#include "bounds.h"
#include "tier.h"
#include <stdbool.h>

#define GAP 200.0

typedef conform_head head;
typedef conform_query row;

enum { KEYS = IFN_ATTENTION_BLOCK };

static int64_t blocks_of(int64_t n)
{
    return (n + KEYS - 1) / KEYS;
}

/* --- declared arithmetic --- */

/* The bound on rounding a factor of a score; if is_scaled, it may be rounded after multiplication by the scale. */
static double moved_by(const head *h, double x, bool is_scaled)
{
    const double scale = fabs(h->scale), own = conform_rounding_error(h->format, x);
    if (!is_scaled || scale == 0)
        return own;
    return fmax(own, conform_rounding_error(h->format, scale * x) / scale);
}

void conform_head_move(const head *h, const double *x, int64_t n, bool is_of_score, double *moved)
{
    for (int64_t i = 0; h->format && i < n; i++)
        moved[i] = moved_by(h, x[i], is_of_score);
}

/* --- scores --- */

/* Codes of a Q8_0 cache may be added up before their scale is applied: the bound takes each as the largest, 128. */
static double code_of(const head *h)
{
    return h->c->dtype == IFN_DTYPE_Q8_0 ? 128 : 0;
}

/* True if an infinite factor may meet a zero: `scale` may be applied first (7.7), and x times the scale may
 * underflow. */
static bool may_vanish(const head *h, double infinite, double x)
{
    return isinf(infinite) && x != 0 && h->scale != 0 && fabs(h->scale * x) < h->unit;
}

/* D_t without its floor. */
static double bound_of_score(const head *h, const conform_sum *dot, double depth)
{
    const conform_tier tier = conform_tier_of_products(h->c);
    const conform_summing how = {.tier = tier == TIER_T0 ? TIER_T1 : tier,
                                 .h = depth + 2,
                                 .a = h->format ? &h->declared->arithmetic : NULL};
    const double of_scale = tier == TIER_T2 ? U * fabs(h->scale * conform_sum_value(dot)) : 0;
    return fabs(h->scale) * conform_sum_bound_in(dot, &how, 0) + of_scale;
}

static void score_key(head *h, row *r, const float *q, int64_t t)
{
    const double *k = h->k + t * h->head_dim, scale = fabs(h->scale);
    const double depth = (double)(h->declared->depth ? h->declared->depth : h->head_dim);
    conform_sum dot = {0};
    double inputs = 0, queries = 0;
    for (int64_t i = h->head_dim; i-- > 0;) {
        const double qi = (double)q[i], term = qi * k[i];
        conform_sum_add(&dot, term, term);
        if (h->format)
            conform_sum_move(&dot, fabs(qi), h->q_moved[i], fabs(k[i]),
                             h->k_moved[t * h->head_dim + i]);
        r->is_unknown |= may_vanish(h, k[i], qi) || may_vanish(h, qi, k[i]);
        queries += isfinite(qi) ? fabs(qi) : 0;
        inputs += isfinite(k[i]) ? fabs(k[i]) : 0;
    }
    inputs += queries;
    const double s = h->scale * conform_sum_value(&dot);
    const double floor = h->unit * (depth * (1 + scale) + inputs);
    h->score[t] = s;
    h->error[t] = bound_of_score(h, &dot, depth) + floor;
    r->moved = fmax(r->moved, scale * dot.moved);
    r->is_nan |= isnan(s);
    r->is_unknown |= !((1 + conform_gamma(depth + 2)) * (1 + scale) * (dot.a + dot.moved) < FMAX) ||
                     !(scale * inputs < FMAX) || !((1 + scale) * code_of(h) * queries < FMAX) ||
                     (dot.is_unsure && !isnan(s));
}

/* A backend may round the largest score by itself, times log2(e), and the others not: exponents are then off by u times
 * it, which is 1 for a score of this size (7.7). */
static const double largest_score = 0x1p24;

static void score_keys(head *h, row *r, const float *q)
{
    r->max = -(double)INFINITY;
    for (int64_t t = r->n; t-- > 0;) {
        score_key(h, r, q, t);
        if (isnan(h->score[t]))
            continue;
        r->max = fmax(r->max, h->score[t]);
        r->max_error = isfinite(h->score[t]) ? fmax(r->max_error, h->error[t]) : r->max_error;
    }
    r->is_unknown |= isfinite(r->max) && fabs(r->max) > largest_score;
    /* a score is +inf, or all are -inf: softmax is NaN */
    if (isinf(r->max) && !r->is_unknown)
        r->is_nan = 1;
}

/* --- weights --- */

/* Counts how often the weight of each key is rescaled: by the merges of blocks, if there are several; if the backend
 * has its own order, also by each later key whose score is above all before it. */
static void count_rescales(head *h, const row *r)
{
    const int64_t n = blocks_of(r->n);
    double largest = -(double)INFINITY, later = 0;
    for (int64_t t = 0; t < r->n; t++) {
        h->rescales[t] = h->score[t] > largest; /* for now: 1 if it is above all before it */
        largest = fmax(largest, h->score[t]);
    }
    for (int64_t t = r->n; t-- > 0;) {
        const double is_larger = h->rescales[t];
        h->rescales[t] =
            (n > 1 ? (double)(n - t / KEYS) : 0) + (h->declared->is_any_order ? later : 0);
        later += is_larger;
    }
}

static double relative_error(const head *h, const row *r, int64_t t)
{
    if (isinf(h->score[t]))
        return 0; /* weight exactly 0 */
    const double exponent = h->error[t] + U * (r->max - h->score[t] + 2 * r->max_error) +
                            h->declared->exp_eps * (1 + h->rescales[t]);
    return expm1(exponent);
}

/* Bounds the rounding of weights. A weight may be rounded relative to the largest of its block, or as a share of all;
 * the bound for the largest value that it may have covers both. */
static void move_weights(head *h, row *r)
{
    const double tiny = conform_head_tiny(h) * (1 + r->share) * (1 + r->g);
    for (int64_t t = 0; h->format && t < r->n; t++) {
        h->p_moved[t] =
            h->p[t] > 0 ? fmax(conform_head_unit(h) * h->p[t] * (1 + h->r[t]), tiny) : 0;
        r->p_moved += h->p_moved[t];
    }
}

static void weigh_keys(head *h, row *r)
{
    conform_sum z = {0};
    count_rescales(h, r);
    for (int64_t t = r->n; t-- > 0;) {
        h->p[t] = exp(h->score[t] - r->max);
        conform_sum_add(&z, h->p[t], h->p[t]);
    }
    for (int64_t t = 0; t < r->n; t++) {
        h->p[t] /= conform_sum_value(&z);
        r->most = fmax(r->most, h->p[t]);
        h->r[t] = relative_error(h, r, t);
        r->share += h->p[t] > 0 ? h->p[t] * h->r[t] : 0;
    }
    const int64_t n = blocks_of(r->n);
    r->n_rescales = r->n > 0 ? h->rescales[0] : 0;
    r->depth = n > 1 && !h->declared->is_any_order ? (double)(KEYS + n) : (double)r->n;
    r->g = conform_gamma(r->depth + 2 + 2 * r->n_rescales);
    move_weights(h, r);
}

/* Finds which of the exact cases of T0 the row is, if any. */
static void find_exact_case(const head *h, row *r)
{
    int64_t near = 0;
    r->winner = -1;
    r->is_equal = 0;
    if (h->c->tier != TIER_T0)
        return;
    r->is_equal = 1;
    for (int64_t t = 0; t < r->n; t++) {
        r->is_equal &= h->score[t] == 0 && r->moved == 0;
        if (h->score[t] < r->max - GAP - 2 * r->moved)
            continue;
        near++;
        r->winner = t;
    }
    r->winner = near == 1 ? r->winner : -1;
}

void conform_weigh_query(head *h, row *r, const float *q)
{
    for (int64_t i = 0; h->format && i < h->head_dim; i++)
        h->q_moved[i] = moved_by(h, (double)q[i], 1);
    score_keys(h, r, q);
    if (r->is_nan || r->is_unknown)
        return;
    weigh_keys(h, r);
    find_exact_case(h, r);
}
