/*
 * Sums of products of a group of a block, shared by the kernels of few rows and of tiles. Inline, like the kernels of
 * block_rows.h and block_tile.h: block_kernels.c compiles them for each format and width.
 */
#ifndef IFN_SIMD_BLOCK_DOT_H
#define IFN_SIMD_BLOCK_DOT_H

#include "block_codes.h"
#include "block_operands.h"

enum { WIDE = 8 };

IFN_INLINE vi start_of(const ifn_q8_format f, int g, const ifn_q8_word *word)
{
    return vi_set(!f.has_min ? word->start : g == 0 ? Q8_MAGIC : 0);
}

/* The running sums of products of one group of a block. */
typedef struct q8_sums {
    vdot all;
    vi few; /* sums over the last vectors, still in 16 bits */
} q8_sums;

/* Adds the products of vector i of the group's n vectors; vector 0 begins the sums with start_of. */
IFN_INLINE void add_dot(const ifn_q8_format f, int g, int i, int n, const ifn_q8_word *word,
                        q8_sums *sums, vi w, vi x)
{
#ifdef DOT_HAS_FEW
    const int few = dot_few(f.bits);
    if (few > 1) {
        const vi products = vdot_pairs(w, x);
        sums->few = i % few == 0 ? products : vdot_add_pairs(sums->few, products);
        if ((i + 1) % few == 0 || i + 1 == n)
            sums->all =
                vdot_widen(i < few ? vdot_from(start_of(f, g, word)) : sums->all, sums->few);
        return;
    }
#endif
    const vdot all = i == 0 ? vdot_from(start_of(f, g, word)) : sums->all;
    sums->all = f.bits == WIDE ? vdot_wide(all, w, x) : vdot_narrow(all, w, x);
    (void)n;
}

/* t = scale_0 I_0, or t + scale_1 I_1; shift: ifn_q8_shift(scale). */
IFN_INLINE vf add_group(int g, vf scale, vf shift, vdot dots, vf t)
{
    const vi products = vdot_sum(dots);
    if (g > 0)
        return vf_fma(scale, vi_convert(products), t);
    return VEC_HAS_FMA ? vf_fma(scale, vi_floats(products), shift)
                       : vf_mul(scale, vi_convert(products));
}

#endif
