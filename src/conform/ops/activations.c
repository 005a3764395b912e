/*
 * Let y be the f32 results, |y_i - t_i| <= b_i, and a = max |y_j| over the block. The quantizer
 * (numerics 8.3) gives |y_i - d q_i| <= a/254 (1 + 2^-14), or zeros if a < 2^-118. As
 * a <= T = max(|t_j| + b_j) for every such y:
 *
 *   |t_i - d q_i| <= b_i + T/254 (1 + 2^-14)       and, if the block may be one of zeros, b_i +
 * 2^-118
 *
 * This also covers codes that jump between neighbours because y lies near a tie: no y in the intervals
 * quantizes to anything farther away.
 */
#include "activations.h"

#include <stdbool.h>

#include "bounds.h"

enum { BLOCK = 32 };

ifn_status conform_add_activations(conform_layout *l, ifn_dtype dtype, int64_t rows, int64_t dim)
{
    if (dim % ifn_dtype_block_elements(dtype) != 0)
        return IFN_ERR_SHAPE;
    if (dtype == IFN_DTYPE_F32)
        conform_add_f32(l, "out", ROLE_OUT, rows, dim);
    else
        conform_add_blocks(l, "out", ROLE_OUT, dtype, rows, dim);
    return IFN_OK;
}

typedef struct block_range {
    double largest, smallest; /* the range of max |y_j| */
    bool is_nan, is_unknown;  /* a result is surely, or possibly, not finite */
} block_range;

static block_range range_of(const conform_truth *t, int64_t first)
{
    block_range r = {0};
    for (int64_t i = first; i < first + BLOCK; i++) {
        if (t->skip[i]) {
            r.is_unknown = 1;
            continue;
        }
        if (!isfinite(t->want[i])) {
            r.is_nan = 1;
            continue;
        }
        r.largest = fmax(r.largest, fabs(t->want[i]) + t->bound[i]);
        r.smallest = fmax(r.smallest, fabs(t->want[i]) - t->bound[i]);
    }
    r.is_unknown |= r.largest >= FMAX;
    return r;
}

void conform_judge_quantized(conform_truth *t, int64_t n)
{
    t->class = CLASS_DECODED;
    for (int64_t first = 0; first < n; first += BLOCK) {
        const block_range r = range_of(t, first);
        const double half_step = r.largest / 254.0 * (1.0 + 0x1p-14);
        const double zeroed = r.smallest < 0x1p-118 ? 0x1p-118 : 0.0;
        for (int64_t i = first; i < first + BLOCK; i++) {
            t->skip[i] = r.is_unknown && !r.is_nan;
            t->want[i] = r.is_nan ? (double)NAN : t->want[i];
            t->bound[i] += fmax(half_step, zeroed) * CONFORM_WIDEN;
        }
    }
}
