#include "ops_f64.h"

#include <math.h>

#include <inferno/quant.h>

#include "blocks.h"

static double element(const ifn_tensor *t, int64_t i)
{
    return conform_value_at(t->dtype, t->data, i);
}

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

enum { AT_ONCE = 8 };

/* Dot products of AT_ONCE rows of x with w; each sum has the order of dot(). */
static void dots(const double *x, const double *w, int64_t k, double *sums)
{
    double s[AT_ONCE] = {0};
    for (int64_t j = 0; j < k; j++)
        for (int r = 0; r < AT_ONCE; r++)
            s[r] += x[r * k + j] * w[j];
    for (int r = 0; r < AT_ONCE; r++)
        sums[r] = s[r];
}

/* Each row of the weight is decoded once for all rows of x. */
void conform_f64_linear(const ifn_tensor *w, const ifn_tensor *bias, const double *x, int64_t rows,
                        double *w_row, double *out)
{
    const int64_t n = w->shape[0], k = w->shape[1];
    const size_t row_bytes = ifn_dtype_row_bytes(w->dtype, k);
    for (int64_t f = 0; f < n; f++) {
        const unsigned char *const data = (const unsigned char *)w->data + (size_t)f * row_bytes;
        conform_values(w->dtype, data, k, w_row);
        const double add = bias ? element(bias, f) : 0.0;
        int64_t r = 0;
        for (; r + AT_ONCE <= rows; r += AT_ONCE) {
            double sums[AT_ONCE];
            dots(x + r * k, w_row, k, sums);
            for (int i = 0; i < AT_ONCE; i++)
                out[(r + i) * n + f] = sums[i] + add;
        }
        for (; r < rows; r++)
            out[r * n + f] = dot(x + r * k, w_row, k) + add;
    }
}

void conform_f64_rms_norm(const ifn_tensor *weight, double eps, const double *x, int64_t rows,
                          int64_t dim, double *out)
{
    for (int64_t r = 0; r < rows; r++) {
        const double *const in = x + r * dim;
        const double factor = 1.0 / sqrt(dot(in, in, dim) / (double)dim + eps);
        for (int64_t i = 0; i < dim; i++)
            out[r * dim + i] = in[i] * factor * element(weight, i);
    }
}

static void rotate(double *x0, double *x1, double c, double s)
{
    const double y0 = *x0 * c - *x1 * s;
    *x1 = *x0 * s + *x1 * c;
    *x0 = y0;
}

void conform_f64_rope(const conform_f64_rotation *how, double *x, int64_t rows)
{
    const int64_t half = how->head_dim / 2;
    const int halves = how->pairing == IFN_ROPE_HALF_SPLIT;
    for (int64_t i = 0; i < half; i++) {
        double frequency = exp(-2.0 * (double)i / (double)how->head_dim * log(how->theta));
        if (how->divisors)
            frequency /= element(how->divisors, i);
        for (int64_t r = 0; r < rows; r++) {
            const double c = cos((double)r * frequency), s = sin((double)r * frequency);
            for (int64_t h = 0; h < how->n_heads; h++) {
                double *const head = x + (r * how->n_heads + h) * how->head_dim;
                rotate(head + (halves ? i : 2 * i), head + (halves ? i + half : 2 * i + 1), c, s);
            }
        }
    }
}

/* Turns scores into weights e^(score - max) and returns their sum. */
static double weigh(double *scores, int64_t n)
{
    double max = scores[0], sum = 0;
    for (int64_t t = 1; t < n; t++)
        max = fmax(max, scores[t]);
    for (int64_t t = 0; t < n; t++)
        sum += scores[t] = exp(scores[t] - max);
    return sum;
}

/* Computes one query; keys and values of consecutive positions are `stride` elements apart. */
static void attend(const double *q, const double *k, const double *v, int64_t stride,
                   int64_t n_keys, int64_t head_dim, double *scores, double *out)
{
    for (int64_t t = 0; t < n_keys; t++)
        scores[t] = dot(q, k + t * stride, head_dim) / sqrt((double)head_dim);
    const double sum = weigh(scores, n_keys);
    for (int64_t c = 0; c < head_dim; c++) {
        double weighted = 0;
        for (int64_t t = 0; t < n_keys; t++)
            weighted += scores[t] * v[t * stride + c];
        out[c] = weighted / sum;
    }
}

void conform_f64_attention(const conform_f64_heads *shape, const double *q, const double *k,
                           const double *v, int64_t rows, double *scores, double *out)
{
    const int64_t group = shape->n_heads / shape->n_kv_heads, dim = shape->head_dim;
    for (int64_t h = 0; h < shape->n_heads; h++) {
        const int64_t kv = h / group * dim;
        for (int64_t r = 0; r < rows; r++) {
            const int64_t at = (r * shape->n_heads + h) * dim;
            attend(q + at, k + kv, v + kv, shape->n_kv_heads * dim, r + 1, dim, scores, out + at);
        }
    }
}

void conform_f64_swiglu(const double *gate, const double *up, int64_t n, double *out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = gate[i] / (1.0 + exp(-gate[i])) * up[i];
}

void conform_f64_narrow(ifn_dtype dtype, const double *x, int64_t n,
                        const conform_f64_scratch *scratch, double *out)
{
    for (int64_t i = 0; i < n; i++)
        scratch->f32[i] = (float)x[i];
    const ifn_status status = ifn_quantize_row(dtype, scratch->f32, scratch->blocks, n);
    if (status == IFN_OK)
        conform_values(dtype, scratch->blocks, n, out);
    for (int64_t i = 0; i < n && status != IFN_OK; i++)
        out[i] = (double)NAN;
}
