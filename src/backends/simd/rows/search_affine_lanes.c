/* search_affine.c with a group in each lane; that file explains the steps. */
#include "search_lanes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "quant_priv.h"

enum { N_STARTS = 3, N_ROUNDS = 4, MAX_GROUP = 32, MOST_BLOCKS = IFN_SEARCH_BLOCKS };

/* w = step * code - min, of each lane */
typedef struct lines {
    ifn_lanes step, min;
} lines;

typedef struct line {
    vf step, min;
} line;

/* A candidate fit of every block: the units in its lanes, and each lane's multiples of them. */
typedef struct trial {
    lines unit;
    ifn_lanes scale, min, error;
} trial;

typedef struct search {
    ifn_affine_shape shape;
    int n_blocks, n_groups; /* groups of one block */
    float x[MAX_GROUP * SEARCH_LANES];
    float code[MAX_GROUP * SEARCH_LANES]; /* of the best fits, once they are settled */
    ifn_lanes sum_x, sum_q, sum_qq;       /* of each group, with these codes */
    lines target;
    trial best;
    float error[MOST_BLOCKS];
    bool is_open[MOST_BLOCKS]; /* the block may still get better */
} search;

IFN_INLINE vf load(const ifn_lanes *a, int l)
{
    return vf_load(a->at + l);
}

IFN_INLINE void store(ifn_lanes *a, int l, vf v)
{
    vf_store(a->at + l, v);
}

IFN_INLINE vf code_of(vf x, line fit, vf inverse, vf most)
{
    const vf v = vf_mul(vf_add(x, fit.min), inverse);
    const vf inside = vf_min(vf_max(v, vf_zero()), most);
    return vf_trunc(vf_add(inside, vf_set(0.5f)));
}

/* sum + the squared error of one weight */
IFN_INLINE vf add_error(vf sum, vf x, line fit, vf code)
{
    const vf e = vf_sub(x, vf_sub(vf_mul(fit.step, code), fit.min));
    return vf_add(sum, vf_mul(e, e));
}

IFN_INLINE vf error_of(const search *s, int l, line fit)
{
    const vf inverse = reciprocal(fit.step), most = vf_set((float)s->shape.codes);
    vf error = vf_zero();
    for (int i = 0; i < s->shape.group; i++) {
        const vf x = vf_load(s->x + i * SEARCH_LANES + l);
        error = add_error(error, x, fit, code_of(x, fit, inverse, most));
    }
    return error;
}

/* The line of least squared error from the sums over a group, with a minimum of at least zero. */
IFN_INLINE line line_through(int n, vf sx, vf sq, vf sqq, vf sxq)
{
    const vf many = vf_set((float)n), zero = vf_zero();
    const vf determinant = vf_sub(vf_mul(many, sqq), vf_mul(sq, sq));
    const vm is_free = vf_less(zero, determinant);
    const vf divisor = vf_select(is_free, determinant, vf_set(1.0f));
    const line free = {vf_div(vf_sub(vf_mul(many, sxq), vf_mul(sx, sq)), divisor),
                       vf_div(vf_sub(vf_mul(sq, sxq), vf_mul(sqq, sx)), divisor)};
    const vf through_zero = quotient(sxq, sqq);
    const vm is_below = vf_less(free.min, zero);
    return (line){vf_select(is_free, vf_select(is_below, through_zero, free.step), through_zero),
                  vf_select(is_free, vf_select(is_below, zero, free.min), zero)};
}

/* The line through the codes that `fit` gives. */
IFN_INLINE line improved(const search *s, int l, line fit)
{
    const vf inverse = reciprocal(fit.step), most = vf_set((float)s->shape.codes);
    vf sq = vf_zero(), sqq = vf_zero(), sxq = vf_zero();
    for (int i = 0; i < s->shape.group; i++) {
        const vf x = vf_load(s->x + i * SEARCH_LANES + l);
        const vf q = code_of(x, fit, inverse, most);
        sq = vf_add(sq, q);
        sqq = vf_add(sqq, vf_mul(q, q));
        sxq = vf_add(sxq, vf_mul(x, q));
    }
    return line_through(s->shape.group, load(&s->sum_x, l), sq, sqq, sxq);
}

/* Least and largest of each group, zero among them, and the sums. */
IFN_INLINE void measure(search *s, int l, vf *lo, vf *hi)
{
    vf sum = vf_zero();
    *lo = vf_zero();
    *hi = vf_load(s->x + l);
    for (int i = 0; i < s->shape.group; i++) {
        const vf x = vf_load(s->x + i * SEARCH_LANES + l);
        *lo = vf_min(x, *lo);
        *hi = vf_max(x, *hi);
        sum = vf_add(sum, x);
    }
    store(&s->sum_x, l, sum);
}

/* Step 1. */
static void find_lines(search *s, int l)
{
    vf lo, hi;
    measure(s, l, &lo, &hi);
    const vf range = vf_sub(hi, lo), min = vf_mul(lo, vf_set(-1.0f));
    line best = {vf_div(range, vf_set((float)s->shape.codes)), min};
    vf best_error = error_of(s, l, best);
    for (int k = -2; k <= 7; k++) {
        const vf steps = vf_set((float)s->shape.codes + 0.2f * (float)k);
        const line fit = improved(s, l, (line){vf_div(range, steps), min});
        const vf error = error_of(s, l, fit);
        const vm is_better = vf_less(error, best_error);
        best_error = vf_select(is_better, error, best_error);
        best.step = vf_select(is_better, fit.step, best.step);
        best.min = vf_select(is_better, fit.min, best.min);
    }
    /* False if all values are equal, or less than the smallest f16 apart. */
    const vm has_range = vf_less(vf_set(0x1p-25f), range);
    store(&s->target.step, l, vf_select(has_range, best.step, vf_zero()));
    store(&s->target.min, l, vf_select(has_range, best.min, min));
}

/* The integer scale or minimum that comes nearest to a target; 0 if the unit is 0. */
IFN_INLINE vf share_of(vf target, vf unit, float most)
{
    const vm some = vf_less(vf_zero(), unit);
    const vf wanted = vf_div(target, vf_select(some, unit, vf_set(1.0f)));
    return vf_select(some, nearest_above(wanted, vf_zero(), vf_set(most)), vf_zero());
}

/* `error`, or infinity if the share is out of its range. */
IFN_INLINE vf only_within(vf share, float most, vf error)
{
    const vf never = vf_set(INFINITY);
    error = vf_select(vf_less(share, vf_zero()), never, error);
    return vf_select(vf_less(vf_set(most), share), never, error);
}

/* The errors of one scale with three minima. */
IFN_INLINE void errors_of(const search *s, int l, vf step, const vf min[3], vf error[3])
{
    const vf inverse = reciprocal(step), most = vf_set((float)s->shape.codes);
    IFN_UNROLL
    for (int m = 0; m < 3; m++)
        error[m] = vf_zero();
    for (int i = 0; i < s->shape.group; i++) {
        const vf x = vf_load(s->x + i * SEARCH_LANES + l);
        IFN_UNROLL
        for (int m = 0; m < 3; m++) {
            const line fit = {step, min[m]};
            error[m] = add_error(error[m], x, fit, code_of(x, fit, inverse, most));
        }
    }
}

/* Step 2: of the nine pairs around the target, the first with the least error. */
static void choose_shares(const search *s, int l, trial *t)
{
    const float most = (float)s->shape.scales;
    const vf unit = load(&t->unit.step, l), unit_min = load(&t->unit.min, l);
    const vf s0 = share_of(load(&s->target.step, l), unit, most);
    const vf m0 = share_of(load(&s->target.min, l), unit_min, most);
    vf best = vf_set(INFINITY), best_scale = vf_zero(), best_min = vf_zero(), share[3], min[3];
    for (int m = 0; m < 3; m++) {
        share[m] = vf_add(m0, vf_set((float)(m - 1)));
        min[m] = vf_mul(unit_min, share[m]);
    }
    for (int k = -1; k <= 1; k++) {
        const vf scale = vf_add(s0, vf_set((float)k));
        vf error[3];
        errors_of(s, l, vf_mul(unit, scale), min, error);
        for (int m = 0; m < 3; m++) {
            const vf e = only_within(share[m], most, only_within(scale, most, error[m]));
            const vm is_better = vf_less(e, best);
            best = vf_select(is_better, e, best);
            best_scale = vf_select(is_better, scale, best_scale);
            best_min = vf_select(is_better, share[m], best_min);
        }
    }
    store(&t->error, l, best);
    store(&t->scale, l, best_scale);
    store(&t->min, l, best_min);
}

/* Computes the codes of the best fits, and the least squares lines through these codes. */
static void settle(search *s, int l)
{
    const line fit = {vf_mul(load(&s->best.unit.step, l), load(&s->best.scale, l)),
                      vf_mul(load(&s->best.unit.min, l), load(&s->best.min, l))};
    const vf inverse = reciprocal(fit.step), most = vf_set((float)s->shape.codes);
    vf sq = vf_zero(), sqq = vf_zero(), sxq = vf_zero();
    for (int i = 0; i < s->shape.group; i++) {
        const vf x = vf_load(s->x + i * SEARCH_LANES + l);
        const vf q = code_of(x, fit, inverse, most);
        vf_store(s->code + i * SEARCH_LANES + l, q);
        sq = vf_add(sq, q);
        sqq = vf_add(sqq, vf_mul(q, q));
        sxq = vf_add(sxq, vf_mul(x, q));
    }
    const line next = line_through(s->shape.group, load(&s->sum_x, l), sq, sqq, sxq);
    store(&s->sum_q, l, sq);
    store(&s->sum_qq, l, sqq);
    store(&s->target.step, l, next.step);
    store(&s->target.min, l, next.min);
}

/* --- blocks --- */

typedef struct unit {
    float step, min;
} unit;

static void keep(search *s, const trial *t, int b, float error, const uint16_t half[2],
                 ifn_affine_fit *out)
{
    const size_t from = (size_t)(b * s->n_groups), bytes = (size_t)s->n_groups * sizeof(float);
    memcpy(s->best.unit.step.at + from, t->unit.step.at + from, bytes);
    memcpy(s->best.unit.min.at + from, t->unit.min.at + from, bytes);
    memcpy(s->best.scale.at + from, t->scale.at + from, bytes);
    memcpy(s->best.min.at + from, t->min.at + from, bytes);
    s->error[b] = error;
    out->d = half[0];
    out->dmin = half[1];
}

/* Takes the fits for given units where they are better than the best. Closes a block whose fit is not
 * better if `is_last_chance`. */
static void try_units(search *s, const unit *units, bool is_last_chance, ifn_affine_fit *out)
{
    trial t;
    uint16_t half[MOST_BLOCKS][2];
    for (int b = 0; b < MOST_BLOCKS; b++) {
        half[b][0] = ifn_f16_unit(units[b].step);
        half[b][1] = ifn_f16_unit(units[b].min);
    }
    for (int l = 0; l < SEARCH_LANES; l++) {
        t.unit.step.at[l] = ifn_f16_to_f32(half[l / s->n_groups][0]);
        t.unit.min.at[l] = ifn_f16_to_f32(half[l / s->n_groups][1]);
    }
    for (int l = 0; l < s->n_blocks * s->n_groups; l += VL)
        choose_shares(s, l, &t);
    for (int b = 0; b < s->n_blocks; b++) {
        float error = 0.0f;
        for (int g = 0; g < s->n_groups; g++)
            error += t.error.at[b * s->n_groups + g];
        const bool is_legal = units[b].step >= 0.0f && units[b].min >= 0.0f;
        const bool is_better = s->is_open[b] && is_legal && error < s->error[b];
        if (is_better)
            keep(s, &t, b, error, half[b], &out[b]);
        s->is_open[b] = s->is_open[b] && (is_better || !is_last_chance);
    }
}

/* Step 3. Sums of whole numbers are exact in any order; sums that involve x keep the order of the plain
 * search. */
static unit refit(const search *s, int b)
{
    double uu = 0.0, uv = 0.0, vv = 0.0, xu = 0.0, xv = 0.0;
    for (int g = 0; g < s->n_groups; g++) {
        const int l = b * s->n_groups + g;
        const double scale = (double)s->best.scale.at[l], v = (double)s->best.min.at[l];
        uu += scale * scale * (double)s->sum_qq.at[l];
        uv += scale * v * (double)s->sum_q.at[l];
        vv += v * v * s->shape.group;
        for (int i = 0; i < s->shape.group; i++) {
            const double x = (double)s->x[i * SEARCH_LANES + l];
            xu += x * (scale * (double)s->code[i * SEARCH_LANES + l]);
            xv += x * v;
        }
    }
    const double determinant = uu * vv - uv * uv;
    if (determinant > 0.0)
        return (unit){(float)((xu * vv - xv * uv) / determinant),
                      (float)((xu * uv - xv * uu) / determinant)};
    return (unit){uu > 0.0 ? (float)(xu / uu) : 0.0f, vv > 0.0 ? (float)(-xv / vv) : 0.0f};
}

/* Whether x / parts, the least unit whose multiples reach x, overflows f16 or is NaN. */
static bool out_of_reach(float x, int parts)
{
    return ifn_f16_or_nan(x / (float)parts) == IFN_F16_NAN;
}

/* Loads the blocks. The lanes see zeros for blocks that cannot be stored, and for missing blocks. */
static void begin(search *s, const float *x, ifn_affine_fit *out)
{
    const ifn_affine_shape shape = s->shape;
    const int n = s->n_groups * shape.group;
    float in[MAX_GROUP * SEARCH_LANES] = {0};
    for (int b = 0; b < s->n_blocks; b++) {
        out[b] = (ifn_affine_fit){.d = IFN_F16_NAN};
        s->error[b] = INFINITY;
        s->is_open[b] = !out_of_reach(ifn_largest(x + b * n, n), shape.codes * shape.scales);
        if (s->is_open[b])
            memcpy(in + b * n, x + b * n, (size_t)n * sizeof *in);
    }
    ifn_lanes_spread(in, shape.group, s->x);
}

/* The largest step and the largest minimum; closes the block if they cannot be stored. */
static unit largest_of(search *s, int b)
{
    unit largest = {0.0f, 0.0f};
    for (int l = b * s->n_groups; l < (b + 1) * s->n_groups; l++) {
        const float step = s->target.step.at[l], min = s->target.min.at[l];
        largest.step = step > largest.step ? step : largest.step;
        largest.min = min > largest.min ? min : largest.min;
    }
    if (out_of_reach(largest.min, s->shape.scales))
        s->is_open[b] = false;
    return largest;
}

static void try_starts(search *s, ifn_affine_fit *out)
{
    unit largest[MOST_BLOCKS] = {{0}}, units[MOST_BLOCKS];
    for (int b = 0; b < s->n_blocks; b++)
        largest[b] = largest_of(s, b);
    for (int start = 0; start < N_STARTS; start++) {
        const float most = (float)(s->shape.scales - start);
        for (int b = 0; b < MOST_BLOCKS; b++)
            units[b] = (unit){largest[b].step / most, largest[b].min / most};
        try_units(s, units, false, out);
    }
}

static bool is_any_open(const search *s)
{
    bool any = false;
    for (int b = 0; b < s->n_blocks; b++)
        any = any || s->is_open[b];
    return any;
}

static void settle_all(search *s)
{
    for (int l = 0; l < s->n_blocks * s->n_groups; l += VL)
        settle(s, l);
}

static void put_fit(const search *s, int b, ifn_affine_fit *out)
{
    if (out->d == IFN_F16_NAN)
        return;
    for (int g = 0; g < s->n_groups; g++) {
        const int l = b * s->n_groups + g;
        out->scale[g] = (uint8_t)s->best.scale.at[l];
        out->min[g] = (uint8_t)s->best.min.at[l];
        for (int i = 0; i < s->shape.group; i++)
            out->code[g * s->shape.group + i] = (uint8_t)s->code[i * SEARCH_LANES + l];
    }
}

static void search_some(const float *x, int n_blocks, ifn_affine_shape shape, ifn_affine_fit *out)
{
    search s = {.shape = shape, .n_blocks = n_blocks, .n_groups = 256 / shape.group};
    begin(&s, x, out);
    for (int l = 0; l < SEARCH_LANES; l += VL)
        find_lines(&s, l);
    try_starts(&s, out);
    settle_all(&s);
    for (int round = 0; round < N_ROUNDS && is_any_open(&s); round++) {
        unit units[MOST_BLOCKS] = {{0}};
        for (int b = 0; b < n_blocks; b++)
            units[b] = refit(&s, b);
        try_units(&s, units, true, out);
        settle_all(&s);
    }
    for (int b = 0; b < n_blocks; b++)
        put_fit(&s, b, &out[b]);
}

void IFN_KERNEL(search_affine)(const float *x, int n_blocks, ifn_affine_shape shape,
                               ifn_affine_fit *out)
{
    const int at_once = shape.group == MAX_GROUP ? MOST_BLOCKS : 1;
    for (int b = 0; b < n_blocks; b += at_once)
        search_some(x + 256 * b, n_blocks - b < at_once ? n_blocks - b : at_once, shape, out + b);
}
