/* Reductions of one row. The order depends only on the row's length: CHAINS vectors, then a tree. */
#ifndef IFN_ROW_SUMS_H
#define IFN_ROW_SUMS_H

#include <math.h>

#include "map.h"

enum { CHAINS = 4 }; /* hides the latency of an addition; a power of two */

/* The sum of CHAINS * VL partial sums. */
static inline float chains_sum(const vf *s)
{
    return vf_sum(vf_add(vf_add(s[0], s[2]), vf_add(s[1], s[3])));
}

/* sum_i x[i]^2 */
static inline float row_sum_squares(const float *x, int64_t n)
{
    vf s[CHAINS] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
    int64_t i = 0;
    for (; i + CHAINS * VL <= n; i += CHAINS * VL) {
        for (int j = 0; j < CHAINS; j++) {
            const vf v = vf_load(x + i + j * VL);
            s[j] = vf_fma(v, v, s[j]);
        }
    }
    for (int j = 0; i < n; j++, i += VL) {
        const vf v = vf_get(x + i, n - i < VL ? (int)(n - i) : VL);
        s[j] = vf_fma(v, v, s[j]);
    }
    return chains_sum(s);
}

/* The largest element that is not NaN; -inf if there is none. */
static inline float row_max(const float *x, int64_t n)
{
    const vf lowest = vf_set(-INFINITY);
    vf max[CHAINS] = {lowest, lowest, lowest, lowest};
    int64_t i = 0;
    /* vf_max gives the second operand if the first is NaN. */
    for (; i + CHAINS * VL <= n; i += CHAINS * VL)
        for (int j = 0; j < CHAINS; j++)
            max[j] = vf_max(vf_load(x + i + j * VL), max[j]);
    for (; i + VL <= n; i += VL)
        max[0] = vf_max(vf_load(x + i), max[0]);
    if (i < n)
        max[1] = vf_max(vf_select(vm_first((int)(n - i)), vf_load_n(x + i, (int)(n - i)), lowest),
                        max[1]);
    return vf_max_lanes(vf_max(vf_max(max[0], max[2]), vf_max(max[1], max[3])));
}

#endif
