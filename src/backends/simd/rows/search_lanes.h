/*
 * The searches of src/quant/search_*.c with one group of weights in each lane. A lane adds the same terms
 * as the plain search, in the same order, so the fits are the same bit for bit. The vector search handles
 * sixteen groups at a time: one block of 16 groups, or two of 8.
 */
#ifndef IFN_SIMD_SEARCH_LANES_H
#define IFN_SIMD_SEARCH_LANES_H

#include "level.h"
#include "search.h"

enum { SEARCH_LANES = 16 };

/* One value for each lane, that is for each group of weights. */
typedef struct ifn_lanes {
    float at[SEARCH_LANES];
} ifn_lanes;

void IFN_KERNEL(search_affine)(const float *x, int n_blocks, ifn_affine_shape shape,
                               ifn_affine_fit *out);
void IFN_KERNEL(search_symmetric)(const float *x, int n_blocks, ifn_symmetric_shape shape,
                                  ifn_symmetric_fit *out);

static const ifn_searches IFN_KERNEL(searches) = {IFN_KERNEL(search_affine),
                                                  IFN_KERNEL(search_symmetric)};

/* Transposes: element i of the group in lane l goes from x[l * group + i] to out[i * SEARCH_LANES + l]. */
static inline void ifn_lanes_spread(const float *x, int group, float *out)
{
    for (int l = 0; l < SEARCH_LANES; l++)
        for (int i = 0; i < group; i++)
            out[i * SEARCH_LANES + l] = x[l * group + i];
}

/* 1 / a; 0 if a is 0. */
IFN_INLINE vf reciprocal(vf a)
{
    const vm none = vf_equal(a, vf_zero());
    return vf_select(none, vf_zero(), vf_div(vf_set(1.0f), vf_select(none, vf_set(1.0f), a)));
}

/* a / b where b > 0, else 0. */
IFN_INLINE vf quotient(vf a, vf b)
{
    const vm some = vf_less(vf_zero(), b);
    return vf_select(some, vf_div(a, vf_select(some, b, vf_set(1.0f))), vf_zero());
}

/* The whole number nearest to v within low .. high, minus low. */
IFN_INLINE vf nearest_above(vf v, vf low, vf high)
{
    const vf inside = vf_min(vf_max(v, low), high);
    return vf_trunc(vf_add(vf_sub(inside, low), vf_set(0.5f)));
}

#endif
