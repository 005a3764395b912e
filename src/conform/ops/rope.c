/*
 * y = x0*c - x1*s and y = x0*s + x1*c with the given table entries: two roundings per term, and two products that
 * may underflow; nothing multiplies these afterwards.
 */
#include "rope.h"

#include "bounds.h"

static void judge(conform_truth *t, int64_t i, double p, double q, const conform_declared *declared)
{
    const double magnitude = fabs(p) + fabs(q);
    t->want[i] = p + q;
    if (isnan(t->want[i]))
        return;
    if (isinf(t->want[i])) {
        /* the finite product must not be able to overflow the other way */
        t->skip[i] = (isfinite(p) && fabs(p) >= FMAX) || (isfinite(q) && fabs(q) >= FMAX);
        return;
    }
    t->skip[i] = !((1.0 + conform_gamma(2)) * magnitude < FMAX);
    t->bound[i] = (conform_gamma(2) * magnitude + 3 * conform_floor_unit(declared)) * CONFORM_WIDEN;
}

void conform_judge_rope_row(conform_truth *t, int64_t first, const float *x, const float *table,
                            int64_t n_heads, int64_t head_dim, int64_t pairing,
                            const conform_declared *declared)
{
    const int64_t half = head_dim / 2;
    for (int64_t h = 0; h < n_heads; h++) {
        for (int64_t pair = 0; pair < half; pair++) {
            const int64_t i0 = h * head_dim + (pairing == IFN_ROPE_INTERLEAVED ? 2 * pair : pair);
            const int64_t i1 = i0 + (pairing == IFN_ROPE_INTERLEAVED ? 1 : half);
            const double c = (double)table[pair], s = (double)table[half + pair];
            const double x0 = (double)x[i0], x1 = (double)x[i1];
            judge(t, first + i0, c * x0, -s * x1, declared);
            judge(t, first + i1, s * x0, c * x1, declared);
        }
    }
}
