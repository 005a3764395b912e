/* quantize_rows: f32 rows to a storage dtype */
#include <stdbool.h>
#include <string.h>

#include "blocks.h"
#include "bounds.h"
#include "elementwise.h"
#include "encode.h"
#include "gen_ties.h"
#include "module.h"

/*
 * The truth of quantize_rows: the pinned bytes; for the K formats, whose encoders search, a bound on the error of a
 * block.
 *
 * A search may end in any fit, but it can start from a plain one: per group the scale (and the minimum) that just
 * spans it, in units of the largest among them. As a search minimises its own weighted error, its result may be worse
 * than the plain fit, but hardly by a factor of 2, plus the cost of rounding its units to f16. Codes in wrong places,
 * or with the scale of another group, are off by several times that.
 */
enum { K_BLOCK = 256, ROW_SET_BLOCKS = 64 };

static void expect_bytes(const conform_case *c, const conform_tensor *t, const float *x,
                         conform_pool *pool, conform_truth *out)
{
    const size_t row_bytes = ifn_dtype_row_bytes(t->dtype, t->cols);
    conform_truth_take(out, CLASS_RAW, (int64_t)t->bytes, pool);
    out->raw_mask = conform_pool_take(pool, t->bytes, 1);
    for (int64_t r = c->dim[0]; r-- > 0;)
        conform_encode_row(t->dtype, x + r * t->cols, t->cols, out->raw + (size_t)r * row_bytes,
                           out->raw_mask + (size_t)r * row_bytes);
}

/* The plain fit: x = step * code - min per group. */
typedef struct fit {
    double step[16], min[16];
    double d, dmin; /* as stored */
    int n_groups, group;
} fit;

static double stored(double unit)
{
    return conform_f16_value(conform_f16_nearest(unit));
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Spans of the groups. Without a minimum the extreme element becomes the lowest code. */
static fit span(const float *x, const conform_limits *l)
{
    fit f = {.n_groups = K_BLOCK / l->group, .group = l->group};
    for (int g = 0; g < f.n_groups; g++) {
        double lo = 0, hi = -(double)INFINITY, extreme = 0;
        for (int i = g * l->group; i < (g + 1) * l->group; i++) {
            const double v = (double)x[i];
            lo = v < lo ? v : lo;
            hi = v > hi ? v : hi;
            extreme = fabs(v) > fabs(extreme) ? v : extreme;
        }
        f.step[g] = l->has_min ? (hi - lo) / l->c_high : extreme / l->c_low;
        f.min[g] = l->has_min ? -lo : 0.0;
        f.d = fabs(f.step[g]) > fabs(f.d) ? f.step[g] : f.d;
        f.dmin = fmax(f.dmin, f.min[g]);
    }
    f.d = l->has_min ? f.d / l->sc_high : f.d / l->sc_low;
    f.dmin = l->has_min ? f.dmin / l->m_high : 0.0;
    return f;
}

/* Root of the sum of squared errors of the plain fit with rounded scales. */
static double error_of(const fit *f, const float *x, const conform_limits *l)
{
    const double d = stored(f->d), dmin = stored(f->dmin);
    double squares = 0;
    for (int i = 0; i < K_BLOCK; i++) {
        const int g = i / f->group;
        const double sc = d == 0 ? 0 : clamp(nearbyint(f->step[g] / d), l->sc_low, l->sc_high);
        const double m = dmin == 0 ? 0 : clamp(nearbyint(f->min[g] / dmin), 0, l->m_high);
        const double step = d * sc, min = dmin * m;
        const double code =
            step == 0 ? 0 : clamp(nearbyint(((double)x[i] + min) / step), l->c_low, l->c_high);
        const double error = step * code - min - (double)x[i];
        squares += error * error;
    }
    return sqrt(squares);
}

static double norm_of(const float *x)
{
    double squares = 0;
    for (int i = 0; i < K_BLOCK; i++)
        squares += (double)x[i] * (double)x[i];
    return sqrt(squares);
}

/* The error of rounding the units of any fit to f16: 2^-11 of d sc c and of dmin m, where d sc c = x + dmin m. The
 * plain fit's own error does not include it if its units happen to be exact. */
static double rounding_of(const fit *f, const float *x)
{
    double squares = 0;
    for (int i = 0; i < K_BLOCK; i++) {
        const double parts = fabs((double)x[i]) + 2 * f->min[i / f->group];
        squares += parts * parts;
    }
    return 0x1p-11 * sqrt(squares);
}

static void judge_block(const float *x, const conform_limits *l, conform_truth *t, int64_t first)
{
    bool is_finite = 1;
    for (int i = 0; i < K_BLOCK; i++)
        is_finite &= isfinite(x[i]) != 0;
    for (int i = 0; i < K_BLOCK; i++)
        t->want[first + i] = is_finite ? (double)x[i] : (double)NAN;
    if (!is_finite)
        return;
    const fit f = span(x, l);
    /* Whether units near the end of f16 can be stored depends on the search. */
    t->skip[first] = fabs(f.d) > 0x1p14 || f.dmin > 0x1p14;
    t->bound[first] = (2 * error_of(&f, x, l) + rounding_of(&f, x)) * CONFORM_WIDEN;
    /* Subnormal units have few bits, or none: such a block may be all zeros. */
    if (fabs(f.d) < 0x1p-14 || (f.dmin > 0 && f.dmin < 0x1p-14))
        t->bound[first] += norm_of(x) * CONFORM_WIDEN;
}

/* True for families whose blocks are samples of one distribution: over 64 of them the error depends on the search, not
 * on how one scale happened to be rounded. */
static bool is_row_set(conform_family family)
{
    return family == FAMILY_NORMAL || family == FAMILY_LAPLACE || family == FAMILY_SPARSE ||
           family == FAMILY_POSITIVE;
}

void conform_truth_quantize_rows(const conform_case *c, const conform_layout *l, void *const *data,
                                 const conform_declared *declared, conform_pool *pool,
                                 conform_truth *truth)
{
    const conform_limits limits = conform_limits_of(c->out_dtype);
    const int at = conform_tensor_index(l, "out");
    const float *x = data[conform_tensor_index(l, "x")];
    (void)declared;
    if (conform_is_pinned(c->out_dtype)) {
        expect_bytes(c, &l->t[at], x, pool, &truth[at]);
        return;
    }
    conform_truth_take(&truth[at], CLASS_QUALITY, c->dim[0] * c->dim[1], pool);
    for (int64_t i = 0; i < c->dim[0] * c->dim[1]; i += K_BLOCK)
        judge_block(x + i, &limits, &truth[at], i);
    truth[at].is_row_set =
        is_row_set(c->family) && c->dim[0] * c->dim[1] >= ROW_SET_BLOCKS * K_BLOCK;
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    const int64_t rows = c->dim[0], cols = c->dim[1];
    (void)l;
    if (c->family == FAMILY_TIES)
        conform_fill_ties(c, "x", c->out_dtype, data[0], rows * cols);
    else
        conform_fill_f32(c, "x", OPERAND_PLAIN, 1, data[0], rows, cols, cols);
}

/* Multiply-adds that one element of an encoder that searches counts as: it takes 100 ns on scalar. */
enum { SEARCH_WORK = 64 };

static int64_t work(const conform_case *c)
{
    const bool searches = ifn_dtype_is_quantized(c->out_dtype) && !conform_is_pinned(c->out_dtype);
    return conform_matrix_work(c) * (searches ? SEARCH_WORK : 1);
}

const conform_module conform_module_quantize_rows = {
    .op = IFN_OP_QUANTIZE_ROWS,
    .dim_names = {"rows", "cols"},
    .block_dim = "cols",
    .fill = fill,
    .truth = conform_truth_quantize_rows,
    .work = work,
    .model_sizes = "rows=1,cols=1024;rows=64,cols=1024",
    .model_dtypes = "F16,Q8_32F,Q8_0",
};
