/* linear: Y_i = X W_i^T (+ bias_i) for up to four W sharing X */
#include <stdbool.h>

#include "arithmetic.h"
#include "blocks.h"
#include "bounds.h"
#include "gen.h"
#include "linear_tensors.h"
#include "tier.h"

/*
 * linear in f64 over exactly decoded weights, with features outermost and sums from the end.
 *
 * Floats have the bound of matmul. Quantized weights (numerics 7.2) have the magnitudes of the most expanded form, two
 * more roundings, one more per group if a minimum (or an offset that the backend splits off) is
 * subtracted, and a floor in which any of d, sc and c may come last.
 */

/* What all outputs of one weight share. */
typedef struct rules {
    conform_tier tier;
    int64_t k;
    bool is_quantized, has_min, splits;
    double unit;
    conform_summing how;
    const conform_format *inputs; /* NULL: not rounded */
} rules;

/* One weight in the terms of numerics 7.2. */
typedef struct weight {
    double value;
    double expanded;         /* M_j */
    double f;                /* F_j */
    double moved;            /* the bound on rounding it (numerics 9.2) */
    bool has_infinite_scale; /* or minimum */
} weight;

static rules rules_of(const conform_case *c, const conform_declared *declared)
{
    const conform_limits limits = conform_limits_of(c->dtype);
    rules r = {.tier = conform_tier_of_products(c),
               .k = c->dim[LINEAR_K],
               .is_quantized = ifn_dtype_is_quantized(c->dtype),
               .has_min = limits.has_min,
               .unit = conform_summing_unit(declared)};
    r.splits = declared->offset_split && conform_has_offset(c->dtype);
    if (r.splits && r.tier == TIER_T0)
        r.tier = TIER_T1; /* the lattice has no room for the offset */
    const int64_t n_groups = (r.k + limits.group - 1) / limits.group;
    if (r.is_quantized && declared->arithmetic.sums && r.tier == TIER_T0)
        r.tier = TIER_T1; /* sums in f16 have no room for the scales of the lattice */
    double more = c->dim[LINEAR_BIAS] ? 1 : 0;
    if (r.is_quantized)
        more += 2 + (r.has_min || r.splits ? (double)n_groups : 0);
    const double h = (double)(declared->depth ? declared->depth : r.k) + more;
    r.how = conform_summing_of(r.tier, declared, h, (double)r.k, more);
    r.inputs = declared->arithmetic.inputs ? conform_format_of(declared->arithmetic.inputs) : NULL;
    return r;
}

/* The bound on rounding a weight. A weight of blocks may be rounded as a whole, or in its two terms. */
static double moved_by(const rules *r, const weight *w, double scaled, double minimum)
{
    const conform_format *const f = r->inputs;
    if (!f)
        return 0;
    const double whole = conform_rounding_error(f, w->value);
    const double parts = conform_rounding_error(f, scaled) + conform_rounding_error(f, minimum);
    return fmax(whole, parts);
}

static weight expand(const rules *r, const conform_code *code)
{
    const double c = fabs((double)code->c) + (r->splits ? 2.0 * code->offset : 0.0);
    const double d = fabs(code->d), sc = fabs((double)code->sc), dmin = fabs(code->dmin);
    weight w = {.value = conform_code_value(code), .expanded = d * sc * c, .f = 1};
    w.has_infinite_scale = r->is_quantized && (isinf(d) || isinf(dmin));
    w.moved = moved_by(r, &w, d * sc * c, r->has_min ? dmin * code->m : 0);
    if (!r->is_quantized)
        return w;
    w.f = (1 + d) * (1 + sc) * (1 + c);
    if (r->has_min) {
        w.expanded += dmin * code->m;
        w.f += (1 + dmin) * (1 + code->m);
    }
    return w;
}

/* Sums over finite terms, from which the floor and the domain are made. */
typedef struct extent {
    double f;       /* sum F_j */
    double fx;      /* sum F_j |x_j| */
    double flushed; /* sum |x_j| + |w_j|: factors that a flushed subnormal may be multiplied by */
    bool has_infinite_scale;
} extent;

/* Adds a term. Floats have F_j = 1 and need no fx; only a backend that flushes needs `flushed`. */
static void add_extent(const rules *r, extent *e, const weight *w, double x)
{
    if (!r->is_quantized && r->unit <= SMIN) {
        e->f += 1;
        return;
    }
    e->has_infinite_scale |= w->has_infinite_scale;
    if (isfinite(w->f))
        e->f += w->f;
    if (isfinite(w->f) && isfinite(x))
        e->fx += w->f * fabs(x);
    if (isfinite(w->value) && isfinite(x))
        e->flushed += fabs(x) + fabs(w->value);
}

/* True if a result may be NaN, or overflow, in the expanded form: there an infinite activation gives inf - inf. */
static bool is_uncertain(const rules *r, const extent *e, double want)
{
    if (!r->is_quantized || isnan(want))
        return false;
    const double largest = r->how.h_half > 0 ? conform_format_of(IFN_ROUND_F16)->overflow : FMAX;
    return e->fx >= largest || (isinf(want) && (r->has_min || r->splits));
}

static double error_of(const rules *r, float x)
{
    return r->inputs ? conform_rounding_error(r->inputs, (double)x) : 0;
}

static void judge(const rules *r, const weight *w, const float *x, const float *bias,
                  conform_truth *t, int64_t i)
{
    conform_sum s = {0};
    extent e = {0};
    for (int64_t j = r->k; j-- > 0;) {
        conform_sum_add(&s, w[j].value * (double)x[j], w[j].expanded * (double)x[j]);
        if (r->how.a)
            conform_sum_move(&s, fabs((double)x[j]), error_of(r, x[j]), w[j].expanded, w[j].moved);
        add_extent(r, &e, &w[j], (double)x[j]);
    }
    if (bias)
        conform_sum_add(&s, (double)*bias, (double)*bias);
    if (bias && r->how.a)
        conform_sum_move(&s, fabs((double)*bias), 0, 1, 0);
    const double flushed = r->unit > SMIN ? FMIN * e.flushed : 0;
    conform_judge_sum(t, i, &s, &r->how, r->unit * e.f + flushed);
    if (e.has_infinite_scale && !isfinite(t->want[i]))
        t->skip[i] = SKIP_INFINITE;
    else
        t->skip[i] |= (unsigned char)is_uncertain(r, &e, t->want[i]);
    if (r->tier == TIER_T0 && t->bound[i] == 0)
        t->want[i] = (double)(float)t->want[i]; /* one-hot with a minimum: one rounding */
}

static void judge_weight(const conform_case *c, const rules *r, const conform_layout *l,
                         void *const *data, int tensor, conform_pool *pool, conform_truth *t)
{
    const int64_t rows = c->dim[LINEAR_ROWS], n = l->t[tensor].rows;
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, r->k);
    const unsigned char *stored = data[tensor];
    const float *x = data[0], *bias = c->dim[LINEAR_BIAS] ? data[tensor + 2] : NULL;
    weight *w = conform_pool_take(pool, (size_t)r->k, sizeof *w);
    conform_code *codes = conform_pool_take(pool, (size_t)r->k, sizeof *codes);
    conform_truth_take(t, CLASS_BOUND, rows * n, pool);
    const conform_lines lines = conform_linear_lines(c, t, n, pool);
    for (int64_t line = lines.n; line-- > 0;) {
        const int64_t f = conform_chosen_line(&lines, line);
        conform_codes(c->dtype, stored + (size_t)f * row_bytes, r->k, codes);
        for (int64_t j = 0; j < r->k; j++)
            w[j] = expand(r, &codes[j]);
        for (int64_t row = 0; row < rows; row++)
            if (!t->skip[row * n + f])
                judge(r, w, x + row * l->t[0].stride, bias ? bias + f : NULL, t, row * n + f);
    }
}

void conform_truth_linear(const conform_case *c, const conform_layout *l, void *const *data,
                          const conform_declared *declared, conform_pool *pool,
                          conform_truth *truth)
{
    for (int i = 0; i < (int)c->dim[LINEAR_N_W]; i++) {
        const conform_case alone = conform_linear_alone(c, i);
        const conform_declared its = conform_linear_declared(declared, i);
        const rules r = rules_of(&alone, &its);
        judge_weight(&alone, &r, l, data, 1 + 3 * i, pool, &truth[2 + 3 * i]);
    }
}

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t k = c->dim[LINEAR_K];
    conform_add_strided(out, "x", ROLE_IN, c->dim[LINEAR_ROWS], k, k + c->dim[LINEAR_PAD]);
    return conform_linear_layout(c, out);
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    conform_case narrowest = conform_linear_narrowest(c);
    narrowest.family = conform_linear_family(c);
    conform_fill_f32(&narrowest, "x", OPERAND_A, conform_linear_length(c), data[0], l->t[0].rows,
                     l->t[0].cols, l->t[0].stride);
    conform_linear_fill(c, l, data);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    ifn_linear_args *const a = &call->args.linear;
    a->x_stride = l->t[0].stride;
    conform_linear_bind(c, l, data, call, (linear_arrays){a->w, a->out, a->bias, a->out_stride});
}

const conform_module conform_module_linear = {
    .op = IFN_OP_LINEAR,
    LINEAR_MODULE,
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_linear,
    .model_dtypes = "F32,F16,BF16,Q8_0",
};
