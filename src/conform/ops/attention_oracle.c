/*
 * attention in f64: scores are summed from the last component to the first, softmax is over all visible keys at once,
 * and the bound is the centred one of numerics 7.7. One KV head is decoded at a time and serves its query heads.
 *
 * T0 (see attention.c) is exact in two cases. Equal scores: every weight is 1, so that the sum over lattice values is
 * exact and only the division rounds, and not even that for 2^j keys; if weights may be divided before the sum, only
 * 2^j keys are exact. One score more than GAP above the others: e^-GAP is 0 in f32, or so small that adding it rounds
 * away, and the result is that key's value. In the family NEEDLE the winning key is known without computing scores.
 */
#include <stdbool.h>

#include "attention_needle.h"
#include "attention_row.h"
#include "blocks.h"
#include "bounds.h"
#include "sampled.h"
#include "tier.h"

typedef conform_head head;
typedef conform_query row;

/* --- one component --- */

typedef struct component {
    double want, abs_sum;      /* o_c, sum |v_t| of finite values */
    double low, high, largest; /* of v_t */
    double moved;              /* the most that rounding moves a v_t by */
    bool is_unknown;
} component;

/* A weight below this may be taken as 0. */
static const double light_weight = 0x1p-100;

/* Computes o_c. With equal weights it is the sum of values divided by their number, so that cancelling values leave an
 * exact 0. A non-finite value counts only if its weight cannot be flushed. */
static component mix(const head *h, const row *r, int64_t c)
{
    component o = {.low = (double)INFINITY, .high = -(double)INFINITY};
    const double *const values = h->v + c * h->visible;
    const double *const moved = h->format ? h->v_moved + c * h->visible : NULL;
    conform_sum sum = {0};
    const double flushed = fmax(light_weight, 8 * conform_head_tiny(h));
    for (int64_t t = r->n; t-- > 0;) {
        const double v = values[t];
        o.moved = moved ? fmax(o.moved, moved[t]) : 0;
        if (!isfinite(v) && h->p[t] < flushed) {
            o.is_unknown = 1;
            continue;
        }
        const double term = r->is_equal ? v : h->p[t] * v;
        conform_sum_add(&sum, term, term);
        o.low = fmin(o.low, v);
        o.high = fmax(o.high, v);
        o.abs_sum += isfinite(v) ? fabs(v) : 0;
    }
    o.want = conform_sum_value(&sum) / (r->is_equal ? (double)r->n : 1.0);
    o.largest = fmax(fabs(o.low), fabs(o.high));
    o.is_unknown |= !(o.abs_sum < FMAX && o.moved < FMAX) && !isnan(o.want);
    return o;
}

/* Sums over the keys, from which the bound is made. */
typedef struct key_sums {
    double of_weights, of_sums, centred, dropped;
    double light;           /* of keys whose weight may be taken as 0 */
    double lean;            /* of exponentials that all err to one side */
    double of_factors;      /* of rounded weights and values */
    double weights2, sums2; /* sums of squares of errors that random signs of V may cancel */
    double factors2;
} key_sums;

static key_sums sum_keys(const head *h, const row *r, double want, int64_t c)
{
    const double *const values = h->v + c * h->visible;
    const double *const moved = h->format ? h->v_moved + c * h->visible : NULL;
    key_sums s = {0};
    for (int64_t t = 0; t < r->n; t++) {
        const double v = values[t], off = fabs(v - want);
        s.centred += off;
        if (h->p[t] == 0)
            continue;
        const double v_moved = moved ? moved[t] : 0, p_moved = moved ? h->p_moved[t] : 0;
        const double of_weight = h->p[t] * h->r[t], of_sum = h->p[t] * (1 + h->r[t]) + p_moved;
        const double likely = p_moved * fabs(v) + of_sum * v_moved;
        s.dropped += h->p[t] * off;
        s.light += h->p[t] < light_weight * (1 + h->r[t]) ? h->p[t] * off : 0;
        s.lean += h->p[t] * off * conform_exp_mean(h->declared) * (1 + h->rescales[t]);
        s.of_weights += of_weight * off;
        s.of_factors += p_moved * fmax(fabs(v), off) + of_sum * v_moved;
        s.of_sums += of_sum * (fabs(v) + v_moved + fabs(want));
        s.weights2 += of_weight * of_weight * v * v;
        s.factors2 += likely * likely;
        s.sums2 += of_sum * of_sum * (fabs(v) + v_moved) * (fabs(v) + v_moved);
    }
    return s;
}

/* The likely error in T2: errors of weights are independent of the signs of V, those of the sum over keys are a random
 * walk; the error of the normaliser is added in full. */
static double likely_of(const row *r, const key_sums *s, double want)
{
    const double h = r->depth + 2 + 2 * r->n_rescales;
    const double weights = LAMBDA * sqrt(s->weights2) + r->share * fabs(want);
    const double factors = LAMBDA * sqrt(s->factors2) + r->p_moved * fabs(want);
    const double sums =
        LAMBDA * U * sqrt(h + 2) * sqrt(s->sums2) + r->g * (1 + r->share + r->p_moved) * fabs(want);
    return fmin(weights, s->of_weights) + fmin(factors, s->of_factors) +
           fmin(sums, r->g * s->of_sums);
}

/* By so much smaller all weights may be, so that a maximum may grow by that before sums are rescaled. */
static const double HEADROOM = 0x1p8;

/* The bound of numerics 7.7. *power receives the average effect of dropping a key. */
static double bound_of(const head *h, const row *r, const component *o, int64_t c, double *power,
                       double *lean)
{
    const key_sums s = sum_keys(h, r, o->want, c);
    const bool is_random = conform_tier_of_products(h->c) == TIER_T2;
    const double off =
        is_random ? likely_of(r, &s, o->want) : s.of_weights + s.of_factors + r->g * s.of_sums;
    const double one = h->c->dtype == IFN_DTYPE_Q8_0 ? 128 : 1;
    const double flushed = 0x1p-124 * s.centred + s.light;
    const double floor =
        (1 + HEADROOM * r->most) * (double)(r->n + 2) * h->unit * (one + o->largest) + flushed;
    const double convex =
        o->high - o->low + conform_gamma(2 * r->depth + 4 + 4 * r->n_rescales) * o->largest +
        (conform_head_unit(h) + (double)r->n * conform_head_tiny(h)) * (o->largest + o->moved) +
        o->moved + floor;
    const double share = r->share + r->p_moved;
    double bound = convex;
    if (share <= 0.5)
        bound = fmin(convex, off / ((1 - share) * (1 - r->g)) + 4 * U * fabs(o->want) + floor);
    *power = s.dropped / (double)r->n / (bound * CONFORM_WIDEN);
    *lean = s.lean + flushed;
    return bound * CONFORM_WIDEN;
}

/* True if the result is exact: one key alone counts, or all count the same, and the declared format holds the
 * values. */
static bool is_exact(const head *h, const row *r, const component *o, int64_t c)
{
    if (r->winner >= 0)
        return !h->format || h->v_moved[c * h->visible + r->winner] == 0;
    return r->is_equal && o->moved == 0;
}

/* The bound if weights are divided by a sum before they meet V, which a backend that promises R3 may not do: by that of
 * all keys, or of a block whose share follows. Quotients are rounded, and so are their products with V and their sums. */
static double of_shares(const head *h, const row *r, const component *o)
{
    return h->declared->is_any_order ? conform_gamma(r->depth + 2) * o->abs_sum / (double)r->n : 0;
}

static void judge_exact(const head *h, const row *r, const component *o, int64_t c,
                        conform_truth *t, int64_t at)
{
    const double n = (double)r->n;
    const bool is_power_of_two = (r->n & (r->n - 1)) == 0;
    t->want[at] = r->winner >= 0 ? h->v[c * h->visible + r->winner] : o->want;
    if (r->winner >= 0)
        t->bound[at] = conform_bound_of_winner(t->want[at]);
    else if (!is_power_of_two || h->declared->is_any_order)
        t->bound[at] = (4 * U * fabs(o->want) +
                        fmax(conform_head_unit(h) / n, conform_head_tiny(h)) * o->abs_sum +
                        of_shares(h, r, o)) *
                       CONFORM_WIDEN;
}

static void judge_bound(const head *h, const row *r, const component *o, int64_t c,
                        conform_truth *t, int64_t at)
{
    double power, lean;
    t->bound[at] = bound_of(h, r, o, c, &power, &lean);
    if (t->lean)
        t->lean[at] = lean;
    t->power = power > t->power ? power : t->power;
}

static void judge(const head *h, const row *r, int64_t c, conform_truth *t, int64_t at)
{
    const component o = mix(h, r, c);
    const uint32_t output = h->declared->arithmetic.output;
    t->want[at] = o.want;
    t->skip[at] = (unsigned char)o.is_unknown;
    if (o.is_unknown || !isfinite(o.want))
        return;
    if (is_exact(h, r, &o, c))
        judge_exact(h, r, &o, c, t, at);
    else
        judge_bound(h, r, &o, c, t, at);
    if (output)
        t->bound[at] = conform_bound_of_output(t->want[at], t->bound[at], output);
    if (!isfinite(t->bound[at]))
        t->skip[at] = 1;
}

static void judge_row(head *h, const float *q, int64_t n_keys, conform_truth *t, int64_t first)
{
    row r = {.n = n_keys};
    conform_weigh_query(h, &r, q);
    for (int64_t c = 0; c < h->head_dim; c++) {
        if (t->skip[first + c])
            continue;
        if (r.is_nan)
            t->want[first + c] = (double)NAN;
        else if (r.is_unknown)
            t->skip[first + c] = 1;
        else
            judge(h, &r, c, t, first + c);
    }
}

/* --- heads --- */

static const unsigned char *row_at(const head *h, const void *cache, int64_t kv_head, int64_t pos)
{
    const int64_t index = kv_head * conform_attention_max_pos(h->c) + pos;
    return (const unsigned char *)cache +
           (size_t)index * ifn_dtype_row_bytes(h->c->dtype, h->head_dim);
}

static void decode_keys(const head *h, const void *cache, int64_t kv_head)
{
    for (int64_t pos = 0; pos < h->visible; pos++)
        conform_values(h->c->dtype, row_at(h, cache, kv_head, pos), h->head_dim,
                       h->k + pos * h->head_dim);
}

/* Decodes the values of one KV head. `decoded` has room for head_dim values. */
static void decode_values(const head *h, const void *cache, int64_t kv_head, double *decoded)
{
    for (int64_t pos = 0; pos < h->visible; pos++) {
        conform_values(h->c->dtype, row_at(h, cache, kv_head, pos), h->head_dim, decoded);
        for (int64_t c = 0; c < h->head_dim; c++)
            h->v[c * h->visible + pos] = decoded[c];
    }
}

static void take_format(head *h, conform_pool *pool)
{
    const int64_t visible = h->visible, n = visible * h->head_dim;
    if (!h->declared->arithmetic.inputs)
        return;
    h->format = conform_format_of(h->declared->arithmetic.inputs);
    h->k_moved = conform_pool_take(pool, (size_t)(2 * n + visible + h->head_dim), sizeof(double));
    h->v_moved = h->k_moved + n, h->p_moved = h->v_moved + n, h->q_moved = h->p_moved + visible;
}

void conform_truth_attention(const conform_case *c, const conform_layout *l, void *const *data,
                             const conform_declared *declared, conform_pool *pool,
                             conform_truth *truth)
{
    const int64_t rows = c->dim[ATTENTION_ROWS], head_dim = c->dim[ATTENTION_HEAD_DIM];
    const int64_t group = c->dim[ATTENTION_GROUP], kv_heads = c->dim[ATTENTION_N_KV_HEADS];
    const int64_t visible = c->dim[ATTENTION_FIRST_POS] + rows, n = visible * head_dim;
    const float *q = data[conform_tensor_index(l, "q")];
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, rows * kv_heads * group * head_dim, pool);
    conform_truth_may_lean(out, c->tier, rows * kv_heads * group * head_dim, pool);
    if (c->family == FAMILY_NEEDLE && conform_needle_is_unique(c)) {
        conform_truth_needles(c, data[conform_tensor_index(l, "v_cache")], out);
        return;
    }
    double *room = conform_pool_take(pool, (size_t)(2 * n + 5 * visible + head_dim), sizeof *room);
    head h = {.c = c, .declared = declared, .head_dim = head_dim, .visible = visible};
    h.scale = (double)conform_attention_scale(c);
    h.unit = conform_floor_unit(declared);
    h.k = room, h.v = room + n, h.score = room + 2 * n;
    h.error = h.score + visible, h.p = h.error + visible, h.r = h.p + visible;
    h.rescales = h.r + visible;
    take_format(&h, pool);
    const conform_grid queries = {.n_lines = rows * kv_heads * group,
                                  .length = head_dim,
                                  .line_step = head_dim,
                                  .element_step = 1,
                                  .cost = n / 4,
                                  .per_line = 6};
    const conform_lines lines = conform_choose_lines(c, out, &queries, pool);
    for (int64_t kv_head = 0; kv_head < kv_heads; kv_head++) {
        bool is_decoded = false;
        for (int64_t i = 0; i < lines.n; i++) {
            const int64_t line = conform_chosen_line(&lines, i), row_of = line / (kv_heads * group);
            if (line % (kv_heads * group) / group != kv_head)
                continue;
            if (!is_decoded) {
                is_decoded = true;
                decode_keys(&h, data[conform_tensor_index(l, "k_cache")], kv_head);
                decode_values(&h, data[conform_tensor_index(l, "v_cache")], kv_head,
                              h.rescales + visible);
                conform_head_move(&h, h.k, n, 1, h.k_moved);
                conform_head_move(&h, h.v, n, 0, h.v_moved);
            }
            const int64_t at = line * head_dim;
            judge_row(&h, q + at, c->dim[ATTENTION_FIRST_POS] + row_of + 1, out, at);
        }
    }
}
