#include "identity.h"

#include "blocks.h"
#include "gen.h"
#include "long_case.h"
#include "sampled.h"

enum { VECTORS = 20, TIMES_READ = 16 };

/* --- operands --- */

static double element(const conform_tensor *t, const void *data, int64_t row, int64_t col)
{
    const unsigned char *at = (const unsigned char *)data + (size_t)row * conform_stride_bytes(t);
    return conform_value_at(t->element == ELEMENT_F32 ? IFN_DTYPE_F32 : t->dtype, at, col);
}

static double x_at(const conform_product *p, int64_t row, int64_t t)
{
    return element(&p->slot->layout.t[p->x], p->slot->before[p->x], row, t);
}

/* In matmul the second factor is transposed. */
static double w_at(const conform_product *p, int64_t feature, int64_t t)
{
    const bool is_down = p->slot->c.op == IFN_OP_MATMUL;
    return element(&p->slot->layout.t[p->w], p->slot->before[p->w], is_down ? t : feature,
                   is_down ? feature : t);
}

/* --- vectors of +1 and -1 --- */

typedef struct sums {
    double v[VECTORS];
} sums;

static void add_signed(sums *s, conform_stream signs, int64_t i, double x)
{
    const uint64_t bits = conform_bits(signs, (uint64_t)i);
    for (int v = 0; v < VECTORS; v++)
        s->v[v] += bits >> v & 1 ? -x : x;
}

static void add_product(sums *s, double x, const sums *y)
{
    for (int v = 0; v < VECTORS; v++)
        s->v[v] += x * y->v[v];
}

/* A NaN is unequal to everything. */
static bool is_same(const sums *a, const sums *b)
{
    for (int v = 0; v < VECTORS; v++)
        if (!(a->v[v] == b->v[v]))
            return false;
    return true;
}

/* Computes B r for all vectors, and the biases times r. */
static sums *weigh(const conform_product *p, conform_stream signs, conform_pool *pool, sums *bias)
{
    sums *weighted = conform_pool_take(pool, (size_t)p->depth, sizeof *weighted);
    for (int64_t f = 0; f < p->features; f++) {
        for (int64_t t = 0; t < p->depth; t++)
            add_signed(&weighted[t], signs, f, w_at(p, f, t));
        if (p->bias)
            add_signed(bias, signs, f, (double)p->bias[f]);
    }
    return weighted;
}

static double exact(const conform_product *p, int64_t row, int64_t feature)
{
    double sum = p->bias ? (double)p->bias[feature] : 0;
    for (int64_t t = 0; t < p->depth; t++)
        sum += x_at(p, row, t) * w_at(p, feature, t);
    return sum;
}

/* Finds the wrong element of a row that the vectors have found wrong, by plain sums. */
static bool is_row_wrong(const conform_product *p, const float *got, int64_t row, int64_t *feature,
                         double *want)
{
    for (int64_t f = 0; f < p->features; f++) {
        *want = exact(p, row, f);
        *feature = f;
        if (!((double)got[row * p->out_stride + f] == *want))
            return true;
    }
    return false;
}

bool conform_product_is_wrong(const conform_product *p, const float *got, conform_pool *pool,
                              int64_t *row, int64_t *feature, double *want)
{
    const conform_stream signs = conform_stream_of(p->slot->c.seed, "identity");
    sums bias = {{0}};
    const sums *weighted = weigh(p, signs, pool, &bias);
    for (*row = 0; *row < p->rows; ++*row) {
        sums left = {{0}}, right = bias;
        for (int64_t f = 0; f < p->features; f++)
            add_signed(&left, signs, f, (double)got[*row * p->out_stride + f]);
        for (int64_t t = 0; t < p->depth; t++)
            add_product(&right, x_at(p, *row, t), &weighted[t]);
        if (!is_same(&left, &right) && is_row_wrong(p, got, *row, feature, want))
            return true;
    }
    return false;
}

/* --- which products --- */

/* True if reading every element once, as the vectors do, costs little compared with the products. */
static bool is_worth_it(const conform_product *p)
{
    const double m = (double)p->rows, n = (double)p->features, k = (double)p->depth;
    return m * n * k >= TIMES_READ * (m * n + m * k + n * k);
}

static conform_product product_of(const conform_slot *s, int x, int w, int out)
{
    const conform_layout *l = &s->layout;
    return (conform_product){.slot = s,
                             .x = x,
                             .w = w,
                             .out = out,
                             .rows = l->t[out].rows,
                             .features = l->t[out].cols,
                             .depth = l->t[x].cols,
                             .out_stride = l->t[out].stride};
}

int conform_products_of(const conform_slot *s, conform_product out[IFN_LINEAR_MAX])
{
    int n = 0;
    if (!conform_is_sampled(&s->c) || s->c.tier != TIER_T0 || s->c.family == FAMILY_ONE_HOT)
        return 0;
    if (s->c.op == IFN_OP_MATMUL)
        out[n++] = product_of(s, 0, 1, 2);
    for (int t = 1; (s->c.op == IFN_OP_LINEAR || s->c.op == IFN_OP_LINEAR_Q8) && t < s->layout.n;
         t += 3) { /* linear_tensors.h */
        out[n] = product_of(s, 0, t, t + 1);
        out[n++].bias = s->layout.t[t + 2].absent ? NULL : s->before[t + 2];
    }
    return n > 0 && is_worth_it(&out[0]) ? n : 0;
}
