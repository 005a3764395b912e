/*
 * How far a composition may be from the fused op, where it rounds more often (numerics 7.9).
 *
 * linear      Decoded weights are exact or rounded once and every order of the sum is inside the
 *             op's own bound: nothing to widen.
 * linear_q8   Each product has a rounded weight and a rounded activation, and the sum has depth k
 *             instead of k / 32: the bound grows by gamma(k + 3) sum |w x| + k SMIN.
 * rms_norm    The roundings that numerics 7.5 counts.
 * swiglu      Those of numerics 6.
 * kv_store    None: the same bytes.
 * attention   Scores are formed as numerics 7.7 assumes. Weights are normalised before the sum: one
 *             rounding each that no quotient cancels, a normaliser of depth T, and a sum of depth T
 *             over weights that add up to 1: 2 gamma(T + 6) max |v|.
 */
#include <math.h>

#include <inferno/quant.h>

#include "bounds.h"
#include "laws.h"

static void add_to_bound(conform_truth *t, int64_t i, double extra)
{
    if (t->class == CLASS_BOUND && isfinite(t->want[i]))
        t->bound[i] += extra * CONFORM_WIDEN;
}

/* Computes sum |w x| for feature f and row r, both decoded; a weight's blocks have at most 256 elements. */
static ifn_status absolute_sum(const ifn_linear_q8_args *a, const ifn_tensor *w, int64_t f,
                               int64_t r, double *sum)
{
    const size_t row_bytes = ifn_dtype_row_bytes(w->dtype, a->k);
    const int64_t block = ifn_dtype_block_elements(w->dtype);
    for (int64_t j = 0; j < a->k; j += block) {
        float weights[256];
        const size_t at = (size_t)f * row_bytes + ifn_dtype_row_bytes(w->dtype, j);
        IFN_TRY(ifn_dequantize_row(w->dtype, (const unsigned char *)w->data + at, weights, block));
        for (int64_t i = 0; i < block; i++) {
            const ifn_block_q8_32f *x = a->x + r * a->x_stride + (j + i) / 32;
            *sum += fabs((double)weights[i] * (double)x->d * (double)x->qs[(j + i) % 32]);
        }
    }
    return IFN_OK;
}

static ifn_status widen_linear_q8(const ifn_linear_q8_args *a, const conform_layout *l,
                                  conform_truth *truth)
{
    int64_t i = 0;
    for (int t = 0; t < l->n; t++) {
        if (l->t[t].role != ROLE_OUT || i == a->n_w)
            continue;
        const ifn_tensor *w = a->w[i++];
        for (int64_t r = 0; r < a->rows; r++)
            for (int64_t f = 0; f < w->shape[0]; f++) {
                double sum = 0;
                IFN_TRY(absolute_sum(a, w, f, r, &sum));
                add_to_bound(&truth[t], r * w->shape[0] + f,
                             conform_gamma((double)a->k + 3) * sum + (double)a->k * SMIN);
            }
    }
    return IFN_OK;
}

/* The largest |v| that a head sees, in f32 as decoded. */
static ifn_status largest_value(const ifn_attention_args *a, int64_t head, double *largest)
{
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const int64_t kv_head = head * a->n_kv_heads / a->n_heads;
    const int64_t block = ifn_dtype_block_elements(a->cache_dtype);
    for (int64_t t = 0; t < a->first_pos + a->rows; t++) {
        const unsigned char *row =
            (const unsigned char *)a->v_cache + (size_t)(kv_head * a->max_pos + t) * row_bytes;
        for (int64_t c = 0; c < a->head_dim; c += block) {
            float v[32];
            IFN_TRY(ifn_dequantize_row(a->cache_dtype, row + ifn_dtype_row_bytes(a->cache_dtype, c),
                                       v, block));
            for (int64_t i = 0; i < block; i++)
                *largest = fmax(*largest, fabs((double)v[i]));
        }
    }
    return IFN_OK;
}

static ifn_status widen_attention(const ifn_attention_args *a, const conform_layout *l,
                                  conform_truth *truth)
{
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    const double depth = (double)(a->first_pos + a->rows) + 6;
    for (int64_t h = 0; h < a->n_heads; h++) {
        double largest = 0;
        IFN_TRY(largest_value(a, h, &largest));
        const double extra = 2 * conform_gamma(depth) * largest + depth * SMIN;
        for (int64_t r = 0; r < a->rows; r++)
            for (int64_t c = 0; c < a->head_dim; c++)
                add_to_bound(out, (r * a->n_heads + h) * a->head_dim + c, extra);
    }
    return IFN_OK;
}

ifn_status conform_law_widen(ifn_op op, const ifn_args *args, const conform_layout *l,
                             conform_truth *truth)
{
    if (op == IFN_OP_LINEAR_Q8)
        return widen_linear_q8(&args->linear_q8, l, truth);
    return op == IFN_OP_ATTENTION ? widen_attention(&args->attention, l, truth) : IFN_OK;
}

bool conform_law_holds(const conform_case *c)
{
    /* In a matmul a weight of 0 times an infinite value is NaN; the fused op leaves that term out: numerics 10. */
    return c->op != IFN_OP_ATTENTION || c->tier != TIER_SPECIAL;
}
