/* Many rows of activations times panels whose codes are unpacked first: for prefill. */
#ifndef IFN_SIMD_BLOCK_TILE_H
#define IFN_SIMD_BLOCK_TILE_H

#include "block_dot.h"

/* dots = the sums of products of group g of a block, for columns [from, to) of a tile; codes and x point
 * to that block, the words to that group. */
IFN_INLINE void dot_columns(const ifn_q8_format f, int g, int from, int to,
                            const uint8_t *const codes[2], const ifn_q8_columns *x,
                            q8_sums dots[2][Q8_TILES])
{
    const int n_vectors = 8 / f.groups;
    const int8_t *at[Q8_TILES];
    IFN_UNROLL
    for (int c = from; c < to; c++) {
        at[c] = x->x[c * x->x_stride].qs;
        __asm__("" : "+r"(at[c])); /* one pointer for all of a block */
    }
    IFN_UNROLL
    for (int i = 0; i < n_vectors; i++) {
        const int j = n_vectors * g + i;
        const vi w_0 = vb_load(codes[0] + j * VEC_BYTES);
        const vi w_1 = vb_load(codes[1] + j * VEC_BYTES);
        IFN_UNROLL
        for (int c = from; c < to; c++) {
            const vi four = vb_load4(at[c] + 4 * j);
            add_dot(f, g, i, n_vectors, x->words + c, &dots[0][c], w_0, four);
            add_dot(f, g, i, n_vectors, x->words + c, &dots[1][c], w_1, four);
        }
    }
}

#ifdef DOT_HAS_SHORTS
IFN_INLINE void widen(const uint8_t *codes, int64_t n, uint8_t *shorts)
{
    for (int64_t i = 0; i < n * 8; i++) {
        const vi bytes = vb_load(codes + i * VEC_BYTES);
        vb_store(shorts + 2 * i * VEC_BYTES, vshorts_even(bytes));
        vb_store(shorts + (2 * i + 1) * VEC_BYTES, vshorts_odd(bytes));
    }
}

/* The same for a block of shorts and n columns. */
IFN_INLINE void dot_shorts(const ifn_q8_format f, int n, const uint8_t *const codes[2],
                           const ifn_q8_columns *x, q8_sums dots[2][Q8_TILES])
{
    const int16_t *at[Q8_TILES];
    IFN_UNROLL
    for (int c = 0; c < n; c++) {
        at[c] = x->shorts + c * x->shorts_stride;
        __asm__("" : "+r"(at[c]));      /* one pointer for all of a block */
        __builtin_prefetch(at[c] + 32); /* the next block: activations come from L2 */
        dots[0][c].all = dots[1][c].all = vdot_from(start_of(f, 0, x->words + c));
    }
    IFN_UNROLL
    for (int j = 0; j < 8; j++) {
        IFN_UNROLL
        for (int odd = 0; odd < 2; odd++) {
            const vi w_0 = vb_load(codes[0] + (2 * j + odd) * VEC_BYTES);
            const vi w_1 = vb_load(codes[1] + (2 * j + odd) * VEC_BYTES);
            IFN_UNROLL
            for (int c = 0; c < n; c++) {
                const vi two = vb_load4((const int8_t *)(at[c] + 16 * odd + 2 * j));
                dots[0][c].all = vdot_shorts(dots[0][c].all, w_0, two);
                dots[1][c].all = vdot_shorts(dots[1][c].all, w_1, two);
            }
        }
    }
}
#endif

#ifdef DOT_HAS_PAIRS
/* dot_columns for columns [0, to), two at a time: half the instructions, the same integers. */
IFN_INLINE void dot_pairs(const ifn_q8_format f, int g, int to, const uint8_t *const codes[2],
                          const ifn_q8_columns *x, q8_sums dots[2][Q8_TILES])
{
    const int n_vectors = 8 / f.groups;
    vpair sums[2][Q8_TILES];
    IFN_UNROLL
    for (int c = 0; c < to; c += 2)
        sums[0][c] = sums[1][c] =
            vpair_of(start_of(f, g, x->words + c), start_of(f, g, x->words + c + 1));
    IFN_UNROLL
    for (int i = 0; i < n_vectors; i += 2) {
        const int j = n_vectors * g + i;
        vpair w[2];
        IFN_UNROLL
        for (int p = 0; p < 2; p++) {
            const uint8_t *const at = codes[p] + j * VEC_BYTES;
            w[p] = vpair_of(vb_load(at), vb_load(at + VEC_BYTES));
        }
        IFN_UNROLL
        for (int c = 0; c < to; c += 2) {
            const vi eight =
                vb_load8(x->x[c * x->x_stride].qs + 4 * j, x->x[(c + 1) * x->x_stride].qs + 4 * j);
            sums[0][c] = vpair_dot(sums[0][c], w[0], eight);
            sums[1][c] = vpair_dot(sums[1][c], w[1], eight);
        }
    }
    IFN_UNROLL
    for (int p = 0; p < 2; p++) {
        IFN_UNROLL
        for (int c = 0; c < to; c += 2) {
            dots[p][c].all = vdot_from(vpair_first(sums[p][c]));
            dots[p][c + 1].all = vdot_from(vpair_second(sums[p][c]));
        }
    }
}
#endif

/*
 * Multiplies n_columns rows of activations at once: loads each vector of codes and each group of four
 * activations once per tile. Per block and output vector 8 dots and, with FMA, 2 to 7 other operations: at
 * best four fifths of the dots that a processor can issue.
 */
IFN_SPECIALIZED void multiply_tile(const ifn_q8_format f, const bool of_shorts, const int n_columns,
                                   const ifn_q8_panel w[2], const ifn_q8_columns *x, int64_t n,
                                   float *sums)
{
    const int64_t x_stride = x->x_stride;
    vf sum[2][Q8_TILES], t[2][Q8_TILES];
    IFN_UNROLL
    for (int c = 0; c < n_columns; c++) {
        sum[0][c] = vf_load(sums + 2 * VL * c);
        sum[1][c] = vf_load(sums + 2 * VL * c + VL);
    }
    for (int64_t b = 0; b < n; b++) {
        const ifn_block_q8_32f *const block = x->x + b;
        const ifn_q8_word *const words = x->words + b * f.groups * n_columns;
        const int64_t at = b * (of_shorts ? Q8_SHORTS_BLOCK : Q8_CODE_BYTES);
        const uint8_t *const codes[2] = {w[0].codes + at, w[1].codes + at};
        IFN_UNROLL
        for (int g = 0; g < f.groups; g++) {
            q8_sums dots[2][Q8_TILES];
            const ifn_q8_columns columns = {block, x_stride, words + g * n_columns,
                                            of_shorts ? x->shorts + 32 * b : NULL,
                                            x->shorts_stride};
            int done = 0;
#ifdef DOT_HAS_SHORTS
            done = of_shorts ? n_columns : 0;
            if (of_shorts)
                dot_shorts(f, n_columns, codes, &columns, dots);
#endif
#ifdef DOT_HAS_PAIRS
            done = n_columns / 2 * 2;
            dot_pairs(f, g, done, codes, &columns, dots);
#endif
            dot_columns(f, g, done, n_columns, codes, &columns, dots);
            IFN_UNROLL
            for (int p = 0; p < 2; p++) {
                const vf scale = vf_load(w[p].scale + (b * f.groups + g) * VL);
                const vf shift = VEC_HAS_FMA ? vf_load(w[p].shift + b * VL) : scale;
                IFN_UNROLL
                for (int c = 0; c < n_columns; c++)
                    t[p][c] = add_group(g, scale, shift, dots[p][c].all, g == 0 ? scale : t[p][c]);
            }
        }
        for (int g = 0; g < f.groups && f.has_min; g++) {
            const vf min_0 = vf_load(w[0].min + (b * f.groups + g) * VL);
            const vf min_1 = vf_load(w[1].min + (b * f.groups + g) * VL);
            IFN_UNROLL
            for (int c = 0; c < n_columns; c++) {
                const vf s = vf_set(words[g * n_columns + c].sum);
                t[0][c] = vf_fma(min_0, s, t[0][c]);
                t[1][c] = vf_fma(min_1, s, t[1][c]);
            }
        }
        IFN_UNROLL
        for (int c = 0; c < n_columns; c++) {
            const vf d = vf_set(block[c * x_stride].d);
            sum[0][c] = vf_fma(d, t[0][c], sum[0][c]);
            sum[1][c] = vf_fma(d, t[1][c], sum[1][c]);
        }
    }
    IFN_UNROLL
    for (int c = 0; c < n_columns; c++) {
        vf_store(sums + 2 * VL * c, sum[0][c]);
        vf_store(sums + 2 * VL * c + VL, sum[1][c]);
    }
}

#endif
