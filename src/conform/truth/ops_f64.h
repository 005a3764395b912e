/*
 * The ops of a transformer in f64, for forward_f64. Sums are plain: at k = 16384 their error is
 * below 2e-12 of the absolute sum, five orders below the f32 noise that is compared with them.
 */
#ifndef CONFORM_OPS_F64_H
#define CONFORM_OPS_F64_H

#include <stdint.h>

#include <inferno/ops.h>
#include <inferno/tensor.h>

/* out[r, f] = sum_j x[r, j] w[f, j] + bias[f], w decoded exactly (numerics 8.1: no rounding, not
 * even the one of dequantize_rows). w [n, k], bias [n] or NULL, w_row [k] is scratch. */
void conform_f64_linear(const ifn_tensor *w, const ifn_tensor *bias, const double *x, int64_t rows,
                        double *w_row, double *out);

/* out = x / sqrt(mean(x^2) + eps) * weight, row by row; out may equal x. weight [dim] F32. */
void conform_f64_rms_norm(const ifn_tensor *weight, double eps, const double *x, int64_t rows,
                          int64_t dim, double *out);

typedef struct conform_f64_rotation {
    double theta;
    const ifn_tensor *divisors; /* [head_dim / 2] F32, or NULL */
    ifn_rope_pairing pairing;
    int64_t n_heads, head_dim;
} conform_f64_rotation;

/* Rotates x [rows, n_heads, head_dim] in place; row r stands at position r. */
void conform_f64_rope(const conform_f64_rotation *how, double *x, int64_t rows);

typedef struct conform_f64_heads {
    int64_t n_heads, n_kv_heads, head_dim;
} conform_f64_heads;

/* Causal, grouped-query. q, out [rows, n_heads, head_dim]; k, v [rows, n_kv_heads, head_dim];
 * scores [rows] is scratch. */
void conform_f64_attention(const conform_f64_heads *shape, const double *q, const double *k,
                           const double *v, int64_t rows, double *scores, double *out);

/* out[i] = silu(gate[i]) * up[i]; out may equal gate. */
void conform_f64_swiglu(const double *gate, const double *up, int64_t n, double *out);

/* Scratch of conform_f64_narrow for rows of n elements. */
typedef struct conform_f64_scratch {
    float *f32;   /* [n] */
    void *blocks; /* 2 bytes per element hold a row of every dtype that narrows */
} conform_f64_scratch;

/* The values of a row after it was stored as dtype (F16, Q8_0, Q8_32F): rounded to f32, encoded, decoded exactly.
 * out may equal x. */
void conform_f64_narrow(ifn_dtype dtype, const double *x, int64_t n,
                        const conform_f64_scratch *scratch, double *out);

#endif
