/* softmax_rows: shifted by the row maximum */
#include "bounds.h"
#include "elementwise.h"
#include "gen.h"
#include "tier.h"

/*
 * softmax in f64, with sums from the end (numerics 7.4). In T2 the bound uses the statistical form of the depth of a
 * sum of positive random terms (numerics 4.2). In a row of T0 whose maximum is 0 (see exact_logit) a
 * result is 1/Z rounded once with an exact Z, or an exponential that f32 flushes to 0.
 */
typedef struct row {
    const float *x;
    int64_t n;
    double max, sum;
    double spread; /* H = sum g_j (m - x_j) */
    double depth;  /* the share of R from the sum of n positive terms and the remaining roundings */
    double rises;  /* how often a term is rescaled below a running maximum, weighted by g_j */
} row;

/* True if the row has a NaN, a +inf, or only -inf: it has no softmax then (numerics 10). */
static bool is_undefined(row *r)
{
    int undefined = 0;
    r->max = -(double)INFINITY;
    for (int64_t i = 0; i < r->n; i++) {
        undefined |= isnan(r->x[i]);
        r->max = (double)r->x[i] > r->max ? (double)r->x[i] : r->max;
    }
    return undefined || isinf(r->max);
}

/*
 * A softmax with a running maximum rescales its sum at each element that is above all before it. This counts how often
 * that happens, weighted by the terms.
 */
typedef struct running {
    double most, sum, rescaled;
} running;

static void add_running(running *t, double x, double e)
{
    if (x > t->most)
        t->rescaled += t->sum;
    t->most = x > t->most ? x : t->most;
    t->sum += e;
}

/* Counts from the first element on; add_up counts from the last on. */
static running run_forward(const row *r)
{
    running t = {.most = -(double)INFINITY};
    for (int64_t i = 0; i < r->n; i++)
        add_running(&t, (double)r->x[i], exp((double)r->x[i] - r->max));
    return t;
}

/* The drift (conform_drift) of the terms e^-(m - x_j) in their sum. */
static double drift_of(const row *r)
{
    const double far = -log(32 * U * r->sum);
    double drift = 0;
    for (int64_t i = 0; i < r->n; i++) {
        const double below = r->max - (double)r->x[i];
        drift += below > far ? conform_drift(exp(-below), r->sum) : 0;
    }
    return drift;
}

static void add_up(row *r, conform_tier tier, const conform_declared *declared)
{
    conform_sum sum = {0}, spread = {0};
    const running forward = run_forward(r);
    running backward = {.most = -(double)INFINITY};
    for (int64_t i = r->n; i-- > 0;) {
        const double below = r->max - (double)r->x[i], e = exp(-below);
        add_running(&backward, (double)r->x[i], e);
        conform_sum_add(&sum, e, e);
        if (e > 0)
            conform_sum_add(&spread, e * below, e * below);
    }
    r->sum = conform_sum_value(&sum);
    r->spread = conform_sum_value(&spread) / r->sum;
    const double drift = tier == TIER_T2 ? drift_of(r) / r->sum : 0;
    const double h = (double)(declared->depth ? declared->depth : r->n);
    const double rises = fmax(forward.rescaled, backward.rescaled) / r->sum;
    /* merging lanes rescales up to log2(n) times more; an addition follows each rescale */
    r->rises = fmin(rises + ceil(log2((double)r->n)), h);
    r->depth = conform_positive_error(tier == TIER_T2 ? tier : TIER_T1, h + 1, drift);
}

static void judge(const row *r, int64_t i, conform_tier tier, const conform_declared *declared,
                  double *want, double *bound)
{
    const double below = r->max - (double)r->x[i], g = exp(-below) / r->sum;
    if (isinf(below) || (tier == TIER_T0 && below == 0 && r->max == 0)) {
        *want = (double)(float)g; /* exactly 0; or 1/Z, rounded once */
        return;
    }
    const double relative = U * below + U * r->spread + 2 * declared->exp_eps + r->depth +
                            r->rises * (declared->exp_eps + U);
    *want = g;
    *bound = ((g > 0 ? g * expm1(relative) : 0.0) + 0x1p-125) * CONFORM_WIDEN;
}

void conform_truth_softmax_rows(const conform_case *c, const conform_layout *l, void *const *data,
                                const conform_declared *declared, conform_pool *pool,
                                conform_truth *truth)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    const float *x = data[conform_tensor_index(l, "x")];
    const conform_tier tier = conform_tier_of_positives(c);
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    conform_truth_take(out, CLASS_BOUND, rows * cols, pool);
    conform_truth_may_lean(out, c->tier, rows * cols, pool);
    for (int64_t r = 0; r < rows; r++) {
        row state = {.x = x + r * cols, .n = cols};
        const int undefined = is_undefined(&state);
        if (!undefined)
            add_up(&state, tier, declared);
        for (int64_t i = 0; i < cols; i++) {
            const int64_t at = r * cols + i;
            if (undefined) {
                out->want[at] = (double)NAN;
                continue;
            }
            judge(&state, i, tier, declared, &out->want[at], &out->bound[at]);
            if (out->lean)
                out->lean[at] =
                    conform_exp_mean(declared) * out->want[at] + fmin(out->want[at], 0x1p-125);
            /* dropping one of n terms of the sum changes a result by about 1/n */
            const double power = out->want[at] / (double)cols / out->bound[at];
            out->power = out->bound[at] > 0 && power > out->power ? power : out->power;
        }
    }
}

/*
 * Logits of T0. ONE_HOT: one logit is 300 above all others, whose exponentials are 0 in f32, so that the result is a
 * row of the unit matrix. Otherwise all logits of a row are equal, every exponential is 1, and each result is 1/cols,
 * rounded once. The largest logit is 0 in half of the rows: in the others a kernel may shift by another number that
 * the row shares, or fuse the shift with a factor, and its exponentials are then near 1 (numerics 7.4).
 */
static float exact_logit(const conform_case *c, int64_t at, int64_t col)
{
    const conform_stream s = conform_stream_of(c->seed, "x");
    const bool is_zero = conform_hash(c->seed, "zero", (uint64_t)at) & 1;
    const float most = is_zero ? 0.0f : conform_normal(s, (uint64_t)at);
    if (c->family != FAMILY_ONE_HOT)
        return most;
    const int64_t hot =
        conform_integer(conform_stream_of(c->seed, "hot"), (uint64_t)at, 0, c->dim[1] - 1);
    return col == hot ? most : most - 300.0f + conform_normal(s, (uint64_t)(at + col));
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    float *x = data[0];
    (void)l;
    if (c->tier != TIER_T0) {
        conform_fill_f32(c, "x", OPERAND_LOGIT, cols, x, rows, cols, cols);
        return;
    }
    for (int64_t i = 0; i < rows * cols; i++)
        x[i] = exact_logit(c, i / cols, i % cols);
}

const conform_module conform_module_softmax_rows = {
    .op = IFN_OP_SOFTMAX_ROWS,
    .dim_names = {"rows", "cols"},
    .aliases = {"out=x"},
    .is_reduction = 1,
    .has_statistics = 1,
    .fill = fill,
    .truth = conform_truth_softmax_rows,
    .work = conform_matrix_work,
    .model_sizes = "rows=16,cols=512;rows=1024,cols=512",
};
