/* rms_norm: root-mean-square normalisation, with an optional residual sum before it */
#include <math.h>
#include <stdbool.h>

#include "activations.h"
#include "bounds.h"
#include "gen.h"
#include "tier.h"

/* residual  0: x alone; 1: x + add; 2: x + add, also written to sum; 3: x, also written to sum
 * eps       0: none; n: 10^-n */
enum { ROWS, DIM, RESIDUAL, EPS };

/*
 * rms_norm in f64, with the mean square summed from the end of the row (numerics 7.5). The error of the sum of squares
 * enters the bound as gamma(n)/2 in T1, in its statistical form in T2, and not in T0, where the sum is exact.
 */

/* The inputs of one row, and the quantities that all its elements share. */
typedef struct row {
    const float *x, *add, *weight;
    int64_t n;
    double v, root;  /* mean square + eps, its root */
    double relative; /* error of every element */
    double unit;     /* of floors */
    double
        flushed; /* error of flushing x + add, before it is multiplied by weight and divided by root */
    double lean; /* the one-sided part of `relative`: a rounded 1/n, a declared estimate */
    bool is_skipped, has_nan, has_inf;
} row;

static float element(const row *r, int64_t i)
{
    return r->add ? r->x[i] + r->add[i] : r->x[i];
}

/* `rsqrt_rel` beyond the 2u of a correctly rounded root and quotient widens every element. */
static void measure(row *r, double eps, conform_tier tier, int64_t depth, double rsqrt_rel)
{
    conform_sum squares = {0};
    double largest = 0;
    for (int64_t i = r->n; i-- > 0;) {
        const double s = (double)element(r, i);
        r->has_nan |= isnan(s);
        r->has_inf |= isinf(s);
        largest = fmax(largest, fabs(s));
        conform_sum_add(&squares, s * s, s * s);
    }
    double drift = 0;
    for (int64_t i = 0; tier == TIER_T2 && i < r->n; i++)
        drift += conform_drift((double)element(r, i) * (double)element(r, i), squares.a);
    const double of_sum =
        conform_positive_error(tier, (double)depth, squares.a > 0 ? drift / squares.a : 0);
    r->v = conform_sum_value(&squares) / (double)r->n + eps;
    r->root = sqrt(r->v);
    r->relative = of_sum / 2 + 6 * U + fmax(0.0, rsqrt_rel - 2 * U) + r->unit / r->v;
    r->lean = U / 2 + (rsqrt_rel > 2 * U ? rsqrt_rel : 0.0);
    /* v = 0 is a row of zeros without eps: 0/0. Otherwise its squares may underflow. */
    r->is_skipped = (r->v < 0x1p-120 && largest > 0) ||
                    (isfinite(largest) && (double)r->n * largest * largest >= 0x1p127);
}

/* Judges an element of a row with an infinity: NaN there and 0 elsewhere (numerics 10). */
static void judge_beside_inf(conform_truth *t, int64_t at, double s, double w)
{
    t->want[at] = isinf(s) || isnan(w) ? (double)NAN : 0.0;
    t->skip[at] = isfinite(s) && !isnan(w) && !(fabs(s * w) * (1.0 + 0x1p-10) < FMAX);
}

static void judge_element(const row *r, conform_truth *t, int64_t at, double s, double w)
{
    const double inverse = 1.0 / r->root, y = s / r->root * w;
    t->want[at] = y;
    if (isnan(y))
        return;
    /* an infinite weight: NaN or inf by whether s / root underflowed before it */
    if (isinf(y)) {
        t->skip[at] = fabs(s) * fmin(1.0, inverse) < 0x1p-100;
        return;
    }
    t->skip[at] =
        !(fabs(s * w) < FMAX && inverse * fabs(w) < FMAX && (1.0 + 0x1p-10) * fabs(y) < FMAX);
    t->bound[at] = (r->relative * fabs(y) + r->unit * (1.0 + fabs(w) + fabs(s) + inverse) +
                    r->flushed * fabs(w) * inverse) *
                   CONFORM_WIDEN;
    if (t->lean)
        t->lean[at] = r->lean * fabs(y);
    const double power = fabs(y) / (2.0 * (double)r->n) / t->bound[at];
    t->power = power > t->power ? power : t->power;
}

static void judge_row(const row *r, conform_truth *t, int64_t first)
{
    for (int64_t i = 0; i < r->n; i++) {
        const double s = (double)element(r, i), w = (double)r->weight[i];
        if (r->has_nan || r->v == 0)
            t->want[first + i] = (double)NAN;
        else if (r->has_inf)
            judge_beside_inf(t, first + i, s, w);
        else if (r->is_skipped)
            t->skip[first + i] = 1;
        else
            judge_element(r, t, first + i, s, w);
    }
}

/* The truth of `sum`: x + add is one rounded operation, so class B. */
static void expect_sum(const conform_case *c, const float *x, const float *add, conform_pool *pool,
                       conform_truth *t)
{
    const int64_t n = c->dim[ROWS] * c->dim[DIM];
    conform_truth_take(t, CLASS_BITS, n, pool);
    for (int64_t i = 0; i < n; i++)
        t->want[i] = add ? (double)(float)((double)x[i] + (double)add[i]) : (double)x[i];
}

void conform_truth_rms_norm(const conform_case *c, const conform_layout *l, void *const *data,
                            const conform_declared *declared, conform_pool *pool,
                            conform_truth *truth)
{
    const int64_t rows = c->dim[ROWS], dim = c->dim[DIM], residual = c->dim[RESIDUAL];
    const float *x = data[conform_tensor_index(l, "x")];
    const float *add = residual == 1 || residual == 2 ? data[conform_tensor_index(l, "add")] : NULL;
    const int64_t depth = declared->depth ? declared->depth : dim;
    const double eps = c->dim[EPS] ? (double)(float)pow(10.0, -(double)c->dim[EPS]) : 0.0;
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, rows * dim, pool);
    conform_truth_may_lean(out, c->tier, rows * dim, pool);
    for (int64_t r = rows; r-- > 0;) {
        row state = {.x = x + r * dim,
                     .add = add ? add + r * dim : NULL,
                     .weight = data[conform_tensor_index(l, "weight")],
                     .n = dim,
                     .unit = conform_floor_unit(declared),
                     .flushed = add && declared->ftz ? FMIN : 0};
        measure(&state, eps, conform_tier_of_positives(c), depth, declared->rsqrt_rel);
        judge_row(&state, out, r * dim);
    }
    if (residual >= 2)
        expect_sum(c, x, add, pool, &truth[conform_tensor_index(l, "sum")]);
    if (c->out_dtype != IFN_DTYPE_F32)
        conform_judge_quantized(out, rows * dim);
}

enum { ALIAS_NONE, ALIAS_OUT_X, ALIAS_SUM_X, ALIAS_SUM_ADD };

static bool has_add(const conform_case *c)
{
    return c->dim[RESIDUAL] == 1 || c->dim[RESIDUAL] == 2;
}

static bool has_sum(const conform_case *c)
{
    return c->dim[RESIDUAL] >= 2;
}

static int alias_fits(const conform_case *c)
{
    if (c->alias == ALIAS_OUT_X)
        return c->out_dtype == IFN_DTYPE_F32;
    if (c->alias == ALIAS_SUM_X)
        return has_sum(c);
    return c->alias != ALIAS_SUM_ADD || c->dim[RESIDUAL] == 2;
}

static void add_if(conform_layout *l, int present, const char *name, conform_role role,
                   const conform_case *c)
{
    if (present)
        conform_add_f32(l, name, role, c->dim[ROWS], c->dim[DIM]);
    else
        conform_add_absent(l, name);
}

static ifn_status layout(const conform_case *c, conform_layout *out)
{
    if (c->dim[DIM] < 1 || !alias_fits(c))
        return IFN_ERR_SHAPE;
    conform_add_f32(out, "x", ROLE_IN, c->dim[ROWS], c->dim[DIM]);
    conform_add_f32(out, "weight", ROLE_IN, 1, c->dim[DIM]);
    add_if(out, has_add(c), "add", ROLE_IN, c);
    add_if(out, has_sum(c), "sum", ROLE_OUT, c);
    return conform_add_activations(out, c->out_dtype, c->dim[ROWS], c->dim[DIM]);
}

/* T0 has a lattice on which s^2 adds up exactly, whatever the family; a residual doubles s, so k is 4 times as
 * large. */
static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[ROWS], dim = c->dim[DIM];
    const int64_t k = has_add(c) ? 4 * dim : dim;
    conform_case inputs = *c, weight = *c;
    (void)l;
    inputs.family = c->tier == TIER_T0 ? FAMILY_LATTICE : c->family;
    weight.family = c->tier == TIER_T0 ? FAMILY_NORMAL : c->family;
    conform_fill_f32(&inputs, "x", OPERAND_A, k, data[0], rows, dim, dim);
    conform_fill_f32(&weight, "weight", OPERAND_WEIGHT, dim, data[1], 1, dim, dim);
    if (has_add(c))
        conform_fill_f32(&inputs, "add", OPERAND_A, k, data[2], rows, dim, dim);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    (void)l;
    (void)data;
    call->args.rms_norm.eps = c->dim[EPS] ? (float)pow(10.0, -(double)c->dim[EPS]) : 0.0f;
}

static int64_t work(const conform_case *c)
{
    return c->dim[ROWS] * c->dim[DIM];
}

const conform_module conform_module_rms_norm = {
    .op = IFN_OP_RMS_NORM,
    .dim_names = {"rows", "dim", "residual", "eps"},
    .block_dim = "dim",
    .aliases = {"out=x", "sum=x", "sum=add", "out=x,sum=add"},
    .is_reduction = 1,
    .has_statistics = 1,
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_rms_norm,
    .work = work,
    .model_sizes = "rows=1,dim=1024,residual=2,eps=6;rows=64,dim=1024,residual=2,eps=6",
};
