/* Strips of activations times panels of unpacked, signed codes, in tile registers: for prefill. */
#ifndef IFN_SIMD_BLOCK_STRIP_H
#define IFN_SIMD_BLOCK_STRIP_H

#include "block_dot.h"

#ifdef DOT_HAS_TILES

#define UNROLL_STRIP _Pragma("GCC unroll 16")

_Static_assert(Q8_STRIP == (int)VTILE_ROWS, "a strip is what a tile register holds");
enum { STRIP_DOTS = Q8_STRIP * VL }; /* sums of a tile register, [row][VL] */

/* Begins the products of group i % f.groups of block b + i / f.groups. */
IFN_INLINE void begin_dots(const ifn_q8_format f, const int i, const ifn_q8_panel *w,
                           const ifn_q8_strip_block *x, int64_t b)
{
    const int depth = 32 / f.groups, g = i % f.groups;
    b += i / f.groups;
    vtile_multiply(i, x[b].qs[0] + depth * g, sizeof x[b].qs[0],
                   w->codes + b * Q8_CODE_BYTES + depth / 4 * g * VEC_BYTES);
}

/* sum[r] += block b. `dots` holds its sums of products, group after group; the order is that of block_kernels.h. */
IFN_INLINE void add_strip(const ifn_q8_format f, const ifn_q8_panel *w, const ifn_q8_strip_block *x,
                          int64_t b, const int32_t *dots, vf sum[Q8_STRIP])
{
    const float *const scale = w->scale + b * f.groups * VL, *const min =
                                                                 w->min + b * f.groups * VL;
    const vf shift = VEC_HAS_FMA ? vf_load(w->shift + b * VL) : vf_zero();
    UNROLL_STRIP
    for (int r = 0; r < Q8_STRIP; r++) {
        vf t = vf_zero();
        for (int g = 0; g < f.groups; g++) {
            const vi products = vi_load(dots + g * STRIP_DOTS + r * VL);
            const vi from_magic = g == 0 ? vi_add(vi_set(Q8_MAGIC), products) : products;
            t = add_group(g, vf_load(scale + g * VL), shift, vdot_from(from_magic), t);
        }
        for (int g = 0; g < f.groups && f.has_min; g++)
            t = vf_fma(vf_load(min + g * VL), vf_set(x[b].sum[g][r]), t);
        sum[r] = vf_fma(vf_set(x[b].d[r]), t, sum[r]);
    }
}

/*
 * sums[r][2 * VL] += n blocks of a panel times a strip; = if they are the first. A tile of sums is stored when its
 * register is needed again, four tiles later, and then converted to floats at once, while the next tiles are
 * multiplied. Storing it right after its product takes half as long again, as the core waits for the product.
 *
 * Floor, in cycles of a tile of 16 x 16 sums: 16 to multiply, 16 to store, and for the floats 32 operations, 48 with a
 * minimum, 64 with two groups; a Xeon issues one of these per cycle, as one of its two units for them is idle while
 * tile registers are in use. Measured 61, 74 and 110: reading activations from L2 comes on top. (The dots of VNNI:
 * 104, 115 and 133.)
 */
IFN_SPECIALIZED void multiply_strip(const ifn_q8_format f, const ifn_q8_panel *w,
                                    const ifn_q8_strip_block *x, int64_t n, bool is_first,
                                    float *sums)
{
    const int at_once = TILE_SUMS / f.groups;
    _Alignas(64) int32_t dots[TILE_SUMS * STRIP_DOTS];
    vf sum[Q8_STRIP];
    int64_t b = 0;
    UNROLL_STRIP
    for (int r = 0; r < Q8_STRIP; r++)
        sum[r] = is_first ? vf_zero() : vf_load(sums + 2 * VL * r);
    if (n >= at_once) {
        IFN_UNROLL
        for (int i = 0; i < TILE_SUMS; i++)
            begin_dots(f, i, w, x, 0);
        for (b = at_once; b + at_once <= n; b += at_once) {
            IFN_UNROLL
            for (int i = 0; i < TILE_SUMS; i++) {
                vtile_store(i, dots + i * STRIP_DOTS);
                begin_dots(f, i, w, x, b);
                const int first = i - f.groups + 1;
                if (i % f.groups == f.groups - 1)
                    add_strip(f, w, x, b - at_once + i / f.groups, dots + first * STRIP_DOTS, sum);
            }
        }
        IFN_UNROLL
        for (int i = 0; i < TILE_SUMS; i++)
            vtile_store(i, dots + i * STRIP_DOTS);
        IFN_UNROLL
        for (int i = 0; i < at_once; i++)
            add_strip(f, w, x, b - at_once + i, dots + i * f.groups * STRIP_DOTS, sum);
    }
    for (; b < n; b++) {
        IFN_UNROLL
        for (int i = 0; i < f.groups; i++) {
            begin_dots(f, i, w, x, b);
            vtile_store(i, dots + i * STRIP_DOTS);
        }
        add_strip(f, w, x, b, dots, sum);
    }
    UNROLL_STRIP
    for (int r = 0; r < Q8_STRIP; r++)
        vf_store(sums + 2 * VL * r, sum[r]);
}

#endif
#endif
