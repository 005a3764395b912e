/* linear_q8: linear on rows of Q8_32F */
#include <stdlib.h>
#include <string.h>

#include "arithmetic.h"
#include "blocks.h"
#include "bounds.h"
#include "case_pool.h"
#include "gen.h"
#include "linear_tensors.h"
#include "tier.h"

/*
 * linear_q8 over given blocks (numerics 7.3): inside a group all sums are integers and exact, computed here in int64
 * from the end; only scale products and the sum over groups round. Absolute values are summed inside the groups, since
 * a kernel may reduce its lanes in float; N of T2 is over the same terms.
 *
 * A backend that declares arithmetic may decode both factors and add products one by one, as linear
 * does (numerics 9.2). Its depth is at least that of linear unless it declares one, and its floor also covers the
 * underflow of a product of two rounded factors.
 */
typedef struct rules {
    conform_tier tier;
    int64_t k;
    int group, has_min;
    double unit;
    conform_summing how;
    const conform_format *inputs; /* NULL: not rounded */
} rules;

/* Integer sums of one group of weights with the codes of one activation block. */
typedef struct group_sums {
    int64_t products, codes;         /* sum c q, sum q */
    int64_t abs_products, abs_codes; /* sum |c q|, sum |q| */
    double squares;                  /* of the expanded terms, less d_x */
} group_sums;

/* The totals over the groups of one output. */
typedef struct totals {
    conform_sum sum;
    double i;          /* sum I_g */
    double domain;     /* numerics 7.3 */
    bool has_infinity; /* a scale or a minimum is infinite */
} totals;

static rules rules_of(const conform_case *c, const conform_declared *declared)
{
    const conform_limits limits = conform_limits_of(c->dtype);
    const ifn_arithmetic *const a = &declared->arithmetic;
    const int64_t k = c->dim[LINEAR_K], n_groups = k / limits.group;
    const double by_group = (double)(n_groups * (1 + limits.has_min) + 8);
    const double one_by_one = (double)(k + 2 + n_groups * limits.has_min);
    const double depth = a->inputs || a->sums ? fmax(by_group, one_by_one) : by_group;
    const double bias = c->dim[LINEAR_BIAS] ? 1 : 0;
    rules r = {.tier = conform_tier_of_products(c),
               .k = k,
               .group = limits.group,
               .has_min = limits.has_min,
               .unit = conform_summing_unit(declared)};
    if (a->sums && r.tier == TIER_T0)
        r.tier = TIER_T1; /* the lattice has no room for scales in f16 */
    r.how = conform_summing_of(r.tier, declared,
                               (declared->depth ? (double)declared->depth : depth) + bias,
                               (double)k, bias + 2 + (double)(n_groups * limits.has_min) + 8);
    r.inputs = a->inputs ? conform_format_of(a->inputs) : NULL;
    return r;
}

static group_sums sum_group(const rules *r, const conform_code *w, const int8_t *q)
{
    const double product = fabs(w->d * w->sc), minimum = fabs(w->dmin * w->m);
    group_sums s = {0};
    for (int j = r->group; j-- > 0;) {
        const int64_t term = (int64_t)w[j].c * q[j], code = q[j];
        s.products += term;
        s.codes += code;
        s.abs_products += term < 0 ? -term : term;
        s.abs_codes += code < 0 ? -code : code;
        const double expanded =
            product * fabs((double)term) + (r->has_min ? minimum * fabs((double)code) : 0.0);
        s.squares += expanded * expanded;
    }
    return s;
}

/* Records the roundings of decoded factors: each is rounded once, a weight as a whole or in its two terms. */
static void move_group(const rules *r, const conform_code *w, double dx, const int8_t *q, totals *t)
{
    for (int j = r->group; j-- > 0;) {
        const double x = dx * (double)q[j], scaled = w[j].d * w[j].sc * (double)w[j].c;
        const double minimum = r->has_min ? w[j].dmin * w[j].m : 0;
        const double expanded = fabs(scaled) + fabs(minimum);
        const double parts = !r->inputs ? 0
                                        : conform_rounding_error(r->inputs, scaled) +
                                              conform_rounding_error(r->inputs, minimum);
        const double whole = r->inputs ? conform_rounding_error(r->inputs, scaled - minimum) : 0;
        conform_sum_move(&t->sum, fabs(x), r->inputs ? conform_rounding_error(r->inputs, x) : 0,
                         expanded, fmax(parts, whole));
        t->i += isfinite(x * expanded) ? (1 + fabs(x)) * (1 + expanded) * (1 + fabs(dx)) : 0;
    }
}

/* The magnitude of a scale for the domain; an infinite scale counts as 0, as it makes no finite term overflow. */
static double finite(double scale)
{
    return isinf(scale) ? 0 : fabs(scale);
}

static void add_group(const rules *r, const conform_code *w, const ifn_block_q8_32f *x,
                      const int8_t *q, totals *t)
{
    const group_sums s = sum_group(r, w, q);
    const double dx = (double)x->d, d = w->d, dmin = w->dmin, sc = w->sc;
    const double m = r->has_min ? w->m : 0;
    double value = dx * (d * sc * (double)s.products);
    double magnitude = fabs(dx) * fabs(d * sc) * (double)s.abs_products;
    t->i += 32 + fabs(sc) * (double)s.abs_products + m * (double)s.abs_codes;
    t->domain += fabs(dx) * (1 + finite(d)) * (1 + fabs(sc)) * (1 + (double)s.abs_products);
    t->has_infinity |= isinf(d) || isinf(dmin);
    if (r->has_min) {
        value = dx * (d * sc * (double)s.products - dmin * m * (double)s.codes);
        magnitude += fabs(dx * dmin * m) * (double)s.abs_codes;
        t->domain += fabs(dx) * (1 + finite(dmin)) * (1 + m) * (1 + (double)s.abs_codes);
    }
    if (r->how.a)
        move_group(r, w, dx, q, t);
    conform_sum_add(&t->sum, value, 0);
    t->sum.a += isfinite(magnitude) ? magnitude : 0;
    t->sum.n2 += isfinite(magnitude) ? dx * dx * s.squares : 0;
}

static void judge(const rules *r, const conform_code *w, const ifn_block_q8_32f *x,
                  const float *bias, conform_truth *t, int64_t i)
{
    totals all = {0};
    for (int64_t j = r->k; j > 0;) {
        j -= r->group;
        add_group(r, w + j, &x[j / 32], x[j / 32].qs + j % 32, &all);
    }
    if (bias)
        conform_sum_add(&all.sum, (double)*bias, (double)*bias);
    if (bias && r->how.a)
        conform_sum_move(&all.sum, fabs((double)*bias), 0, 1, 0);
    all.sum.n = r->k; /* the terms that power counts are single products */
    conform_judge_sum(t, i, &all.sum, &r->how, r->unit * all.i);
    const double largest = r->how.h_half > 0 ? conform_format_of(IFN_ROUND_F16)->overflow : FMAX;
    if (!isnan(t->want[i]) && !(all.domain < largest))
        t->skip[i] = SKIP_ANY;
    if (all.has_infinity && !isfinite(t->want[i]))
        t->skip[i] = SKIP_INFINITE;
    if (r->tier == TIER_T0 && t->bound[i] == 0)
        t->want[i] = (double)(float)t->want[i]; /* one-hot: one rounding of a full significand */
}

static void judge_weight(const conform_case *c, const rules *r, const conform_layout *l,
                         void *const *data, int tensor, conform_pool *pool, conform_truth *t)
{
    const int64_t rows = c->dim[LINEAR_ROWS], n = l->t[tensor].rows;
    const size_t row_bytes = ifn_dtype_row_bytes(c->dtype, r->k);
    const unsigned char *stored = data[tensor];
    const ifn_block_q8_32f *x = data[0];
    const float *bias = c->dim[LINEAR_BIAS] ? data[tensor + 2] : NULL;
    conform_code *w = conform_pool_take(pool, (size_t)r->k, sizeof *w);
    conform_truth_take(t, CLASS_BOUND, rows * n, pool);
    const conform_lines lines = conform_linear_lines(c, t, n, pool);
    for (int64_t line = lines.n; line-- > 0;) {
        const int64_t f = conform_chosen_line(&lines, line);
        conform_codes(c->dtype, stored + (size_t)f * row_bytes, r->k, w);
        for (int64_t row = 0; row < rows; row++)
            if (!t->skip[row * n + f])
                judge(r, w, x + row * l->t[0].stride, bias ? bias + f : NULL, t, row * n + f);
    }
}

void conform_truth_linear_q8(const conform_case *c, const conform_layout *l, void *const *data,
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

/* Rows of x have gaps of `pad` blocks. */
static ifn_status layout(const conform_case *c, conform_layout *out)
{
    const int64_t rows = c->dim[LINEAR_ROWS], k = c->dim[LINEAR_K];
    for (int i = 0; i <= c->n_more; i++)
        if (!conform_is_stored_block(conform_case_dtype(c, i)))
            return IFN_ERR_SHAPE;
    if (k % 32 != 0)
        return IFN_ERR_SHAPE;
    conform_add_blocks(out, "x", ROLE_IN, IFN_DTYPE_Q8_32F, rows, k);
    conform_tensor *x = &out->t[0];
    x->stride += c->dim[LINEAR_PAD];
    if (rows > 0)
        x->bytes += (size_t)(rows - 1) * (size_t)c->dim[LINEAR_PAD] * sizeof(ifn_block_q8_32f);
    return conform_linear_layout(c, out);
}

/* Makes the rows without gaps, then copies them: the gaps must not be written. */
static void fill_x(const conform_case *c, const conform_tensor *t, ifn_block_q8_32f *x)
{
    const int64_t blocks = t->cols / 32;
    ifn_block_q8_32f *rows = malloc((size_t)(t->rows * blocks) * sizeof *rows + 1);
    if (!rows)
        conform_out_of_memory((size_t)(t->rows * blocks) * sizeof *rows, "the inputs of a case");
    conform_case narrowest = conform_linear_narrowest(c);
    narrowest.family = conform_linear_family(c);
    conform_fill_blocks(&narrowest, "x", OPERAND_A, IFN_DTYPE_Q8_32F, conform_linear_length(c),
                        rows, t->rows, t->cols);
    for (int64_t r = 0; r < t->rows; r++)
        if (blocks > 0)
            memcpy(x + r * t->stride, rows + r * blocks, (size_t)blocks * sizeof *rows);
    free(rows);
}

static void fill(const conform_case *c, const conform_layout *l, void *const *data)
{
    fill_x(c, &l->t[0], data[0]);
    conform_linear_fill(c, l, data);
}

static void bind(const conform_case *c, const conform_layout *l, void *const *data,
                 conform_call *call)
{
    ifn_linear_q8_args *const a = &call->args.linear_q8;
    a->x_stride = l->t[0].stride;
    conform_linear_bind(c, l, data, call, (linear_arrays){a->w, a->out, a->bias, a->out_stride});
}

const conform_module conform_module_linear_q8 = {
    .op = IFN_OP_LINEAR_Q8,
    LINEAR_MODULE,
    .layout = layout,
    .fill = fill,
    .bind = bind,
    .truth = conform_truth_linear_q8,
    .model_dtypes = "Q8_0,Q4_0,Q4_K,Q6_K",
};
