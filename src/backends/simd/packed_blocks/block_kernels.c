/* The kernels of block_kernels.h. Each is written once and compiled for every format and width. */
#include "block_kernels.h"

#include "block_codes.h"

enum { WIDE = 8 };

IFN_INLINE vi start_of(const ifn_q8_format f, int g, const ifn_q8_word *word)
{
    return vi_set(!f.has_min ? word->start : g == 0 ? Q8_MAGIC : 0);
}

/* The sums of products of one group of a block, as they grow. */
typedef struct q8_sums {
    vdot all;
    vi few; /* of the last vectors, in 16 bits */
} q8_sums;

/* Adds those of vector i of the group's n; the first begin with the start. */
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

IFN_INLINE void prefetch(const uint8_t *p, int bytes)
{
    IFN_UNROLL
    for (int i = 0; i < bytes; i += 64)
        __builtin_prefetch(p + i);
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

/* What a panel has read of x, the compiler would keep for the next panel: of many columns that is far
 * more than registers hold, and reading it again is cheaper than to store it first. */
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
 * One row or a few: reads each packed panel once, unpacks in registers. Per block and row 8 dots, up
 * to 30 operations of unpacking, 5 to 15 of scales: of one row, less than the time its bytes take
 * from memory. Several panels are several streams; one or several, they are fetched ahead: a core
 * that follows a stream by itself does so as fast as memory goes only where little is done to what
 * arrives.
 */
IFN_INLINE void multiply_rows(const ifn_q8_format f, const int n_panels, const int n_columns,
                              const ifn_q8_panels *w, const ifn_q8_columns *x, float *sums)
{
    const int block_bytes = f.bits * VEC_BYTES;
    const int ahead = n_panels > 1 ? Q8_STREAMS_AHEAD : Q8_STREAM_AHEAD;
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
            prefetch(scales[p] + ahead, Q8_CHUNK / f.unit * f.scale_bytes * VL);
        }
        for (int64_t i = 0; i < n; i++) {
            IFN_UNROLL
            for (int c = 0; c < n_columns; c++) /* a long panel drives x out of L1 */
                __builtin_prefetch(few.x[c] + 4);
            IFN_UNROLL
            for (int p = 0; p < n_panels; p++) {
                const uint8_t *const unit = scales[p] + i / f.unit * f.scale_bytes * VL;
                const ifn_q8_factors factors = ifn_q8_factors_of(unit, f.scales, (int)(i % f.unit));
                prefetch(at[p] + ahead, block_bytes);
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

IFN_INLINE void unpack(const ifn_q8_format f, const uint8_t *packed, int64_t n, ifn_q8_chunk *out)
{
    const uint8_t *const first = packed + ifn_q8_scales_bytes(&f, n);
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *const codes = first + i * f.bits * VEC_BYTES;
        const uint8_t *const unit = packed + i / f.unit * f.scale_bytes * VL;
        const ifn_q8_factors w = ifn_q8_factors_of(unit, f.scales, (int)(i % f.unit));
        if (f.bits != WIDE) {
            IFN_UNROLL
            for (int j = 0; j < 8; j++)
                vb_store(out->codes + i * Q8_CODE_BYTES + j * VEC_BYTES,
                         ifn_q8_code(codes, f.bits, j));
        }
        for (int g = 0; g < f.groups; g++) {
            vf_store(out->scale + (i * f.groups + g) * VL, w.scale[g]);
            if (VEC_HAS_FMA && g == 0)
                vf_store(out->shift + i * VL, ifn_q8_shift(w.scale[g]));
            if (f.has_min)
                vf_store(out->min + (i * f.groups + g) * VL, w.min[g]);
        }
    }
}

/* dots = the sums of products of group g of a block, for columns [from, to) of a tile; what codes
 * and x point to begins with that block, the words with that group. */
IFN_INLINE void dot_columns(const ifn_q8_format f, int g, int from, int to,
                            const uint8_t *const codes[2], const ifn_q8_columns *x,
                            q8_sums dots[2][Q8_TILES])
{
    const int n_vectors = 8 / f.groups;
    IFN_UNROLL
    for (int i = 0; i < n_vectors; i++) {
        const int j = n_vectors * g + i;
        const vi w_0 = vb_load(codes[0] + j * VEC_BYTES);
        const vi w_1 = vb_load(codes[1] + j * VEC_BYTES);
        IFN_UNROLL
        for (int c = from; c < to; c++) {
            const vi four = vb_load4(x->x[c * x->x_stride].qs + 4 * j);
            add_dot(f, g, i, n_vectors, x->words + c, &dots[0][c], w_0, four);
            add_dot(f, g, i, n_vectors, x->words + c, &dots[1][c], w_1, four);
        }
    }
}

#ifdef DOT_HAS_PAIRS
/* The same for columns [0, to), two at a time: half the instructions, and the same integers. */
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
 * n_columns rows of activations at once: each vector of codes and each group of four activations is
 * loaded once for all of the tile. Per block and output vector 8 dots and 2 to 7 other operations
 * where there is FMA: four fifths of the dots a processor can issue is the most it can reach.
 */
IFN_INLINE void multiply_tile(const ifn_q8_format f, const int n_columns, const ifn_q8_panel w[2],
                              const ifn_q8_columns *x, int64_t n, float *sums)
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
        const uint8_t *const codes[2] = {w[0].codes + b * Q8_CODE_BYTES,
                                         w[1].codes + b * Q8_CODE_BYTES};
        IFN_UNROLL
        for (int g = 0; g < f.groups; g++) {
            q8_sums dots[2][Q8_TILES];
            const ifn_q8_columns columns = {block, x_stride, words + g * n_columns};
            int paired = 0;
#ifdef DOT_HAS_PAIRS
            paired = n_columns / 2 * 2;
            dot_pairs(f, g, paired, codes, &columns, dots);
#endif
            dot_columns(f, g, paired, n_columns, codes, &columns, dots);
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

/* format_Q4_0, ...: constants that the functions below are compiled for. */
#define X(NAME, bits, offset, groups, has_min, unit, scale_bytes, scales, tiles)                   \
    static const ifn_q8_format format_##NAME = {                                                   \
        IFN_DTYPE_##NAME, bits, offset, groups, has_min, unit, scale_bytes, IFN_Q8_##scales};
IFN_Q8_FORMATS(X)
#undef X

#define FEW(NAME, n)                                                                               \
    static void few_##NAME##_##n(const ifn_q8_panels *w, const ifn_q8_columns *x, float *sums)     \
    {                                                                                              \
        multiply_rows(format_##NAME, 1, n, w, x, sums);                                            \
    }                                                                                              \
    static void streams_##NAME##_##n(const ifn_q8_panels *w, const ifn_q8_columns *x, float *sums) \
    {                                                                                              \
        multiply_rows(format_##NAME, ifn_q8_streams(n), n, w, x, sums);                            \
    }
#define X(NAME, ...)                                                                               \
    FEW(NAME, 1)                                                                                   \
    FEW(NAME, 2)                                                                                   \
    FEW(NAME, 3)                                                                                   \
    FEW(NAME, 4)                                                                                   \
    FEW(NAME, 5)                                                                                   \
    FEW(NAME, 6)                                                                                   \
    FEW(NAME, 7)                                                                                   \
    FEW(NAME, 8)                                                                                   \
    static void unpack_##NAME(const uint8_t *packed, int64_t n, ifn_q8_chunk *out)                 \
    {                                                                                              \
        unpack(format_##NAME, packed, n, out);                                                     \
    }
IFN_Q8_FORMATS(X)
#undef X

/* Of the formats that have tiles of their own; the compiler drops the others. */
#define TILE(NAME, n)                                                                              \
    __attribute__((unused)) static void tile_##NAME##_##n(                                         \
        const ifn_q8_panel w[2], const ifn_q8_columns *x, int64_t n_blocks, float *sums)           \
    {                                                                                              \
        multiply_tile(format_##NAME, n, w, x, n_blocks, sums);                                     \
    }
#define X(NAME, ...)                                                                               \
    TILE(NAME, 1)                                                                                  \
    TILE(NAME, 2)                                                                                  \
    TILE(NAME, 3)                                                                                  \
    TILE(NAME, 4)                                                                                  \
    TILE(NAME, 5)                                                                                  \
    TILE(NAME, 6)
IFN_Q8_FORMATS(X)
#undef X

#define COLUMNS(groups) ((groups) == 1 ? Q8_COLUMNS : Q8_COLUMNS_2)
/* Wider ones than the registers carry are left out. */
#define USE(tiles, groups, n) (n) <= COLUMNS(groups) ? tile_##tiles##_##n : NULL

/* One after the other: name_1 to name_8. */
#define BY_COLUMNS(name)                                                                           \
    {                                                                                              \
        name##_1, name##_2, name##_3, name##_4, name##_5, name##_6, name##_7, name##_8             \
    }
#define KERNELS(NAME, groups, tiles)                                                               \
    {                                                                                              \
        .columns = COLUMNS(groups), .few = BY_COLUMNS(few_##NAME),                                 \
        .streams = BY_COLUMNS(streams_##NAME), .unpack = unpack_##NAME,                            \
        .tile = {USE(tiles, groups, 1), USE(tiles, groups, 2), USE(tiles, groups, 3),              \
                 USE(tiles, groups, 4), USE(tiles, groups, 5), USE(tiles, groups, 6)},             \
    }

static const ifn_q8_kernels all_kernels[IFN_DTYPE_COUNT] = {
#define X(NAME, bits, offset, groups, has_min, unit, scale_bytes, scales, tiles)                   \
    [IFN_DTYPE_##NAME] = KERNELS(NAME, groups, tiles),
    IFN_Q8_FORMATS(X)
#undef X
};

const ifn_q8_format *IFN_KERNEL(q8_format_of)(ifn_dtype dtype)
{
    switch (dtype) {
#define X(NAME, ...)                                                                               \
    case IFN_DTYPE_##NAME:                                                                         \
        return &format_##NAME;
        IFN_Q8_FORMATS(X)
#undef X
    default:
        return NULL;
    }
}

const ifn_q8_kernels *IFN_KERNEL(q8_kernels_of)(ifn_dtype dtype)
{
    return &all_kernels[dtype];
}
