/*
 * attention in f64: scores with the component last first, softmax over all visible keys at once,
 * and the centred bound of numerics 7.7. One KV head is decoded at a time and serves its query
 * heads.
 *
 * T0 (see attention_bind.c) is exact in two cases. Equal scores: every weight is 1, so that the sum
 * over lattice values is exact and only the division rounds, not even that for 2^j keys. One score
 * more than GAP above the others: e^-GAP is 0 in f32, or so little that adding it rounds away, and
 * the result is that key's value. Which key that is, the family NEEDLE says without a look at them.
 */
#include "attention.h"
#include "attention_needle.h"
#include "blocks.h"
#include "bounds.h"
#include "sampled.h"
#include "tier.h"

#define GAP 200.0

enum { KEYS = IFN_ATTENTION_BLOCK };

/* One KV head decoded, and room for the keys of one row. */
typedef struct head {
    const conform_case *c;
    const conform_declared *declared;
    int64_t head_dim;
    double scale, unit;
    double *k, *v;                 /* [visible, head_dim] */
    double *score, *error, *p, *r; /* [visible]: s_t, D_t, p_t, r_t */
    double *rescales;              /* [visible]: n_t */
} head;

/* What the elements of one row and head share. */
typedef struct row {
    int64_t n;                /* visible keys */
    double max, max_error;    /* of the scores */
    double share, g;          /* P, G */
    double depth, n_rescales; /* h_T, n */
    int is_nan, is_unknown;
    int is_equal;   /* T0: all weights are the same */
    int64_t winner; /* T0: the one key that counts, or -1 */
} row;

static int64_t blocks_of(int64_t n)
{
    return (n + KEYS - 1) / KEYS;
}

/* --- scores --- */

/* An infinite factor beside one that times the scale may vanish: `scale` may come first (7.7), and
 * then it meets a zero. */
static int may_vanish(const head *h, double infinite, double x)
{
    return isinf(infinite) && x != 0 && h->scale != 0 && fabs(h->scale * x) < h->unit;
}

static void score_key(head *h, row *r, const float *q, int64_t t)
{
    const double *k = h->k + t * h->head_dim, scale = fabs(h->scale);
    const double depth = (double)(h->declared->depth ? h->declared->depth : h->head_dim);
    conform_sum dot = {0};
    double inputs = 0;
    for (int64_t i = h->head_dim; i-- > 0;) {
        const double qi = (double)q[i], term = qi * k[i];
        conform_sum_add(&dot, term, term);
        r->is_unknown |= may_vanish(h, k[i], qi) || may_vanish(h, qi, k[i]);
        inputs += (isfinite(qi) ? fabs(qi) : 0) + (isfinite(k[i]) ? fabs(k[i]) : 0);
    }
    const conform_tier tier = conform_tier_of_products(h->c);
    const double s = h->scale * conform_sum_value(&dot);
    const double floor = h->unit * (depth * (1 + scale) + inputs);
    h->score[t] = s;
    h->error[t] =
        scale * conform_sum_bound(&dot, tier == TIER_T0 ? TIER_T1 : tier, depth + 2, 0) + floor;
    h->error[t] += tier == TIER_T2 ? U * fabs(s) : 0;
    r->is_nan |= isnan(s);
    r->is_unknown |=
        !((1 + conform_gamma(depth + 2)) * (1 + scale) * dot.a < FMAX) || !(scale * inputs < FMAX);
}

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
    /* +inf among the scores, or nothing but -inf */
    if (isinf(r->max) && !r->is_unknown)
        r->is_nan = 1;
}

/* --- weights --- */

/* Times the weight of each key is rescaled: by the merges of blocks, never with a single one; in an
 * order of the backend's own also by each later key that is larger than all before it. */
static void count_rescales(head *h, const row *r)
{
    const int64_t n = blocks_of(r->n);
    double largest = -(double)INFINITY, later = 0;
    for (int64_t t = 0; t < r->n; t++) {
        h->rescales[t] = h->score[t] > largest; /* for now: whether it is one of those */
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
        h->r[t] = relative_error(h, r, t);
        r->share += h->p[t] > 0 ? h->p[t] * h->r[t] : 0;
    }
    const int64_t n = blocks_of(r->n);
    r->n_rescales = r->n > 0 ? h->rescales[0] : 0;
    r->depth = n > 1 && !h->declared->is_any_order ? (double)(KEYS + n) : (double)r->n;
    r->g = conform_gamma(r->depth + 2 + 2 * r->n_rescales);
}

/* Which of the exact cases of T0 the row is. */
static void find_exact_case(const head *h, row *r)
{
    int64_t near = 0;
    r->winner = -1;
    r->is_equal = 0;
    if (h->c->tier != TIER_T0)
        return;
    r->is_equal = 1;
    for (int64_t t = 0; t < r->n; t++) {
        r->is_equal &= h->score[t] == 0;
        if (h->score[t] < r->max - GAP)
            continue;
        near++;
        r->winner = t;
    }
    r->winner = near == 1 ? r->winner : -1;
}

/* --- one component --- */

typedef struct component {
    double want, abs_sum;      /* o_c, sum |v_t| of finite values */
    double low, high, largest; /* of v_t */
    int is_unknown;
} component;

/* o_c; with equal weights their sum by their number, so that cancelling values leave an exact 0.
 * A value that is not finite counts where its weight cannot be flushed. */
static component mix(const head *h, const row *r, int64_t c)
{
    component o = {.low = (double)INFINITY, .high = -(double)INFINITY};
    conform_sum sum = {0};
    for (int64_t t = r->n; t-- > 0;) {
        const double v = h->v[t * h->head_dim + c];
        if (!isfinite(v) && h->p[t] < 0x1p-100) {
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
    o.is_unknown |= !(o.abs_sum < FMAX) && !isnan(o.want);
    return o;
}

/* Sums over the keys that the bound is made of. */
typedef struct key_sums {
    double of_weights, of_sums, centred, dropped;
    double lean;            /* what exponentials that all err to one side may do */
    double weights2, sums2; /* squares of what random signs of V may cancel */
} key_sums;

static key_sums sum_keys(const head *h, const row *r, double want, int64_t c)
{
    key_sums s = {0};
    for (int64_t t = 0; t < r->n; t++) {
        const double v = h->v[t * h->head_dim + c], off = fabs(v - want);
        s.centred += off;
        if (h->p[t] == 0)
            continue;
        const double of_weight = h->p[t] * h->r[t], of_sum = h->p[t] * (1 + h->r[t]);
        s.dropped += h->p[t] * off;
        s.lean += h->p[t] * off * conform_exp_mean(h->declared) * (1 + h->rescales[t]);
        s.of_weights += of_weight * off;
        s.of_sums += of_sum * (fabs(v) + fabs(want));
        s.weights2 += of_weight * of_weight * v * v;
        s.sums2 += of_sum * of_sum * v * v;
    }
    return s;
}

/* T2: errors of weights do not know the signs of V, those of the sum over keys are a random walk;
 * what the normaliser is off by stays. */
static double likely_of(const row *r, const key_sums *s, double want)
{
    const double h = r->depth + 2 + 2 * r->n_rescales;
    const double weights = LAMBDA * sqrt(s->weights2) + r->share * fabs(want);
    const double sums =
        LAMBDA * U * sqrt(h + 2) * sqrt(s->sums2) + r->g * (1 + r->share) * fabs(want);
    return fmin(weights, s->of_weights) + fmin(sums, r->g * s->of_sums);
}

/* The bound of numerics 7.7; `power` is what a dropped key is worth, on average. */
static double bound_of(const head *h, const row *r, const component *o, int64_t c, double *power,
                       double *lean)
{
    const key_sums s = sum_keys(h, r, o->want, c);
    const int is_random = conform_tier_of_products(h->c) == TIER_T2;
    const double off = is_random ? likely_of(r, &s, o->want) : s.of_weights + r->g * s.of_sums;
    const double one = h->c->dtype == IFN_DTYPE_Q8_0 ? 128 : 1;
    const double floor = (double)(r->n + 2) * h->unit * (one + o->largest) + 0x1p-124 * s.centred;
    const double convex =
        o->high - o->low + conform_gamma(2 * r->depth + 4 + 4 * r->n_rescales) * o->largest + floor;
    double bound = convex;
    if (r->share <= 0.5)
        bound = fmin(convex, off / ((1 - r->share) * (1 - r->g)) + 4 * U * fabs(o->want) + floor);
    *power = s.dropped / (double)r->n / (bound * CONFORM_WIDEN);
    *lean = s.lean + 0x1p-124 * s.centred;
    return bound * CONFORM_WIDEN;
}

static void judge_exact(const head *h, const row *r, const component *o, int64_t c,
                        conform_truth *t, int64_t at)
{
    const int is_power_of_two = (r->n & (r->n - 1)) == 0;
    t->want[at] = r->winner >= 0 ? h->v[r->winner * h->head_dim + c] : o->want;
    t->bound[at] = r->winner >= 0 || is_power_of_two ? 0 : 4 * U * fabs(o->want) * CONFORM_WIDEN;
}

static void judge(const head *h, const row *r, int64_t c, conform_truth *t, int64_t at)
{
    const component o = mix(h, r, c);
    double power, lean;
    t->want[at] = o.want;
    t->skip[at] = (unsigned char)o.is_unknown;
    if (o.is_unknown || !isfinite(o.want))
        return;
    if (r->winner >= 0 || r->is_equal) {
        judge_exact(h, r, &o, c, t, at);
        return;
    }
    t->bound[at] = bound_of(h, r, &o, c, &power, &lean);
    if (t->lean)
        t->lean[at] = lean;
    t->power = power > t->power ? power : t->power;
}

static void judge_row(head *h, const float *q, int64_t n_keys, conform_truth *t, int64_t first)
{
    row r = {.n = n_keys};
    score_keys(h, &r, q);
    if (!r.is_nan && !r.is_unknown) {
        weigh_keys(h, &r);
        find_exact_case(h, &r);
    }
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

static void decode(const head *h, const void *cache, int64_t kv_head, int64_t visible, double *out)
{
    const size_t row_bytes = ifn_dtype_row_bytes(h->c->dtype, h->head_dim);
    const int64_t first = kv_head * conform_attention_max_pos(h->c);
    for (int64_t i = 0; i < visible * h->head_dim; i++) {
        const int64_t pos = i / h->head_dim;
        const unsigned char *at = (const unsigned char *)cache + (size_t)(first + pos) * row_bytes;
        out[i] = conform_value_at(h->c->dtype, at, i % h->head_dim);
    }
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
    double *room = conform_pool_take(pool, (size_t)(2 * n + 5 * visible), sizeof *room);
    head h = {.c = c, .declared = declared, .head_dim = head_dim};
    h.scale = (double)conform_attention_scale(c);
    h.unit = conform_floor_unit(declared);
    h.k = room, h.v = room + n, h.score = room + 2 * n;
    h.error = h.score + visible, h.p = h.error + visible, h.r = h.p + visible;
    h.rescales = h.r + visible;
    const conform_grid queries = {.n_lines = rows * kv_heads * group,
                                  .length = head_dim,
                                  .line_step = head_dim,
                                  .element_step = 1,
                                  .cost = n / 4,
                                  .per_line = 6};
    const conform_lines lines = conform_choose_lines(c, out, &queries, pool);
    for (int64_t kv_head = 0; kv_head < kv_heads; kv_head++) {
        int is_decoded = 0;
        for (int64_t i = 0; i < lines.n; i++) {
            const int64_t line = conform_chosen_line(&lines, i), row_of = line / (kv_heads * group);
            if (line % (kv_heads * group) / group != kv_head)
                continue;
            if (!is_decoded++) {
                decode(&h, data[conform_tensor_index(l, "k_cache")], kv_head, visible, h.k);
                decode(&h, data[conform_tensor_index(l, "v_cache")], kv_head, visible, h.v);
            }
            const int64_t at = line * head_dim;
            judge_row(&h, q + at, c->dim[ATTENTION_FIRST_POS] + row_of + 1, out, at);
        }
    }
}
