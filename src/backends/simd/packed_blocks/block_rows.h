/* One or a few rows of activations times packed panels: for decoding. */
#ifndef IFN_SIMD_BLOCK_ROWS_H
#define IFN_SIMD_BLOCK_ROWS_H

#include "block_dot.h"
#include "cpu_streams.h"

IFN_INLINE void fetch(const ifn_fetch to, const uint8_t *p, int bytes)
{
    IFN_UNROLL
    for (int i = 0; i < bytes; i += LINE_BYTES)
        ifn_fetch_line(to, p + i);
}

/* A block of each of some columns of activations, and their words. */
typedef struct q8_few {
    const ifn_block_q8_32f *x[Q8_FEW];
    const ifn_q8_word *words;
} q8_few;

/* sum[c] += one block of a packed panel times column c. */
IFN_INLINE void add_block(const ifn_q8_format f, const int n_columns, const uint8_t *codes,
                          const ifn_q8_factors *factors, const q8_few *few, vf *sum)
{
    const int n_vectors = 8 / f.groups;
    vf t[Q8_FEW];
    IFN_UNROLL
    for (int g = 0; g < f.groups; g++) {
        const ifn_q8_word *const words = few->words + g * n_columns;
        const vf scale = factors->scale[g], shift = ifn_q8_shift(scale);
        q8_sums dots[Q8_FEW];
        IFN_UNROLL
        for (int i = 0; i < n_vectors; i++) {
            const int j = n_vectors * g + i;
            const vi w = ifn_q8_code(codes, f.bits, j);
            IFN_UNROLL
            for (int c = 0; c < n_columns; c++)
                add_dot(f, g, i, n_vectors, words + c, &dots[c], w,
                        vb_load4(few->x[c]->qs + 4 * j));
        }
        IFN_UNROLL
        for (int c = 0; c < n_columns; c++)
            t[c] = add_group(g, scale, shift, dots[c].all, g == 0 ? scale : t[c]);
    }
    for (int g = 0; g < f.groups && f.has_min; g++) {
        IFN_UNROLL
        for (int c = 0; c < n_columns; c++)
            t[c] = vf_fma(factors->min[g], vf_set(few->words[g * n_columns + c].sum), t[c]);
    }
    IFN_UNROLL
    for (int c = 0; c < n_columns; c++)
        sum[c] = vf_fma(vf_set(few->x[c]->d), t[c], sum[c]);
}

/* Hides the pointers from the compiler, which would else keep the x that one panel has read for the next panel: with
 * many columns that is far more than the registers hold, and reading x again is cheaper than spilling it. */
IFN_INLINE void read_again(const int n_columns, q8_few *few)
{
    if (n_columns <= 4)
        return;
    IFN_UNROLL
    for (int c = 0; c < n_columns; c++)
        __asm__("" : "+r"(few->x[c]));
    __asm__("" : "+r"(few->words));
}

/*
 * One row or a few: reads each packed panel once and unpacks in registers. Per block and row 8 dots, up
 * to 30 operations of unpacking, 5 to 15 for scales: with one row, less time than its bytes take
 * from memory. Several panels are several streams, which are prefetched. A single panel is prefetched, too,
 * or left to the hardware prefetcher, which follows it at the speed of memory if lines are read in ascending
 * order: so all scales of a chunk lie before its codes, not each with its block. Software prefetch far ahead
 * disturbs the hardware. GB/s of one thread of a Zen 4, where reading alone gives 31: Q8_0 with
 * lines of scales in between 12, prefetched 8 KiB ahead 17, in order 29; Q4_K 9, 23, 30.
 * Many columns are different: the core looks no further ahead than the block it multiplies, and
 * memory and dots wait for each other. So their panel is prefetched into L2, far ahead and in order: Q8_0
 * times 8 columns took 254 us without, of which dots are 150, and takes 154 (8 KiB ahead into L1: 300).
 */
IFN_SPECIALIZED void multiply_rows(const ifn_q8_format f, const ifn_cpu_streams streams,
                                   const int n_columns, const ifn_q8_panels *w,
                                   const ifn_q8_columns *x, float *sums)
{
    const int n_panels = streams == IFN_STREAMS_SEVERAL ? ifn_q8_streams(n_columns) : 1;
    const int block_bytes = f.bits * VEC_BYTES;
    const int scales_bytes = Q8_CHUNK / f.unit * f.scale_bytes * VL;
    const int ahead = streams == IFN_STREAMS_SEVERAL  ? Q8_STREAMS_AHEAD
                      : streams == IFN_STREAM_FETCHED ? Q8_AHEAD
                                                      : 0;
    const bool is_slow = streams == IFN_STREAM_FOLLOWED && n_columns >= Q8_SLOW;
    const int64_t n_blocks = w->n_blocks;
    const uint8_t *at[Q8_STREAMS];
    vf sum[Q8_STREAMS][Q8_FEW];
    q8_few few = {.words = x->words};
    IFN_UNROLL
    for (int c = 0; c < n_columns; c++)
        few.x[c] = x->x + c * x->x_stride;
    IFN_UNROLL
    for (int p = 0; p < n_panels; p++) {
        at[p] = w->panel + (size_t)p * w->stride;
        IFN_UNROLL
        for (int c = 0; c < n_columns; c++)
            sum[p][c] = vf_zero();
    }
    for (int64_t from = 0; from < n_blocks; from += Q8_CHUNK) {
        const int64_t n = n_blocks - from < Q8_CHUNK ? n_blocks - from : Q8_CHUNK;
        const uint8_t *scales[Q8_STREAMS];
        IFN_UNROLL
        for (int p = 0; p < n_panels; p++) {
            scales[p] = at[p];
            at[p] += ifn_q8_scales_bytes(&f, n);
            fetch(FETCH_L1, scales[p] + ahead, scales_bytes);
            if (is_slow)
                fetch(FETCH_L2, scales[p] + Q8_L2_AHEAD, scales_bytes);
        }
        for (int64_t i = 0; i < n; i++) {
            IFN_UNROLL
            for (int c = 0; c < n_columns; c++) /* a long panel evicts x from L1 */
                __builtin_prefetch(few.x[c] + 4);
            IFN_UNROLL
            for (int p = 0; p < n_panels; p++) {
                const uint8_t *const unit = scales[p] + i / f.unit * f.scale_bytes * VL;
                const ifn_q8_factors factors = ifn_q8_factors_of(unit, f.scales, (int)(i % f.unit));
                if (ahead > 0)
                    fetch(FETCH_L1, at[p] + ahead, block_bytes);
                if (is_slow)
                    fetch(FETCH_L2, at[p] + Q8_L2_AHEAD, block_bytes);
                add_block(f, n_columns, at[p], &factors, &few, sum[p]);
                at[p] += block_bytes;
                if (n_panels > 1)
                    read_again(n_columns, &few);
            }
            IFN_UNROLL
            for (int c = 0; c < n_columns; c++)
                few.x[c]++;
            few.words += f.groups * n_columns;
        }
    }
    IFN_UNROLL
    for (int p = 0; p < n_panels; p++) {
        IFN_UNROLL
        for (int c = 0; c < n_columns; c++)
            vf_store(sums + (p * n_columns + c) * VL, sum[p][c]);
    }
}

#endif
