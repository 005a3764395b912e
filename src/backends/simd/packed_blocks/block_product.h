/* The product with one weight of a call of linear_q8, and how its results are written, for many rows and for few. */
#ifndef IFN_SIMD_BLOCK_PRODUCT_H
#define IFN_SIMD_BLOCK_PRODUCT_H

#include "block_kernels.h"

/* One weight of the call: its address, the features to compute, the address of the results. */
typedef struct ifn_q8_product {
    const ifn_q8_format *format;
    const ifn_q8_kernels *kernels;
    const ifn_tensor *w;
    const uint8_t *packed; /* or NULL */
    const ifn_block_q8_32f *x;
    int64_t x_stride, n_blocks;
    ifn_range features;
    const float *bias;
    float *out;
    int64_t out_stride;
    const ifn_q8_short_kernels *of_shorts; /* or NULL */
    uint8_t *chunk_shorts[2];
    int16_t *x_shorts;                     /* activations of a pass */
    int64_t x_shorts_rows;                 /* rows that fit there */
    const ifn_q8_strip_kernels *of_strips; /* or NULL */
    ifn_q8_strip_block *strips;            /* of a pass: [strip][block] */
    int64_t n_strips;                      /* strips that fit there */
} ifn_q8_product;

static inline int32_t ifn_q8_sum_of_codes(const int8_t *q, int n)
{
    int32_t sum = 0;
    for (int j = 0; j < n; j++)
        sum += q[j];
    return sum;
}

static inline ifn_q8_word ifn_q8_word_of(const ifn_q8_format *f, const ifn_block_q8_32f *x, int g)
{
    const int32_t s = f->groups == 1 ? x->s : ifn_q8_sum_of_codes(x->qs + 16 * g, 16);
    if (f->has_min)
        return (ifn_q8_word){.sum = (float)s};
    /* Unsigned arithmetic: a block with a wrong sum gives a wrong number, but no undefined overflow. */
    const uint32_t zero = g == 0 ? Q8_MAGIC : 0;
    return (ifn_q8_word){.start = (int32_t)(zero - (uint32_t)f->offset * (uint32_t)s)};
}

static inline const uint8_t *ifn_q8_packed_panel(const ifn_q8_product *p, int64_t panel)
{
    return p->packed + (size_t)panel * ifn_q8_bytes(p->format, p->n_blocks);
}

/* Writes the features of `panel` that belong to the part. */
static inline void ifn_q8_store_panel(const ifn_q8_product *p, int64_t row, int64_t panel,
                                      const float *sums)
{
    const ifn_range lanes = ifn_part_within(p->features, panel * VL, (panel + 1) * VL);
    float *const out = p->out + row * p->out_stride + panel * VL;
    const float *const bias = p->bias ? p->bias + panel * VL : NULL;
    if (lanes.begin == 0 && lanes.end == VL) {
        const vf sum = vf_load(sums);
        vf_store(out, bias ? vf_add(sum, vf_load(bias)) : sum);
        return;
    }
    for (int64_t i = lanes.begin; i < lanes.end; i++)
        out[i] = bias ? sums[i] + bias[i] : sums[i];
}

/* Writes the sums of a tile of `width` columns, which have room for two panels, also if there is one. Whole panels take
 * a short path: if k is small, a result takes no longer than 32 multiplications of blocks. */
static inline void ifn_q8_store_tile(const ifn_q8_product *p, int64_t row, int64_t width,
                                     int64_t panel, int n_panels, const float *sums)
{
    for (int i = 0; i < n_panels; i++, panel++) {
        const ifn_range whole = {panel * VL, (panel + 1) * VL};
        const bool is_whole = p->features.begin <= whole.begin && whole.end <= p->features.end;
        float *const out = p->out + row * p->out_stride + whole.begin;
        const vf bias = is_whole && p->bias ? vf_load(p->bias + whole.begin) : vf_zero();
        for (int64_t r = 0; r < width; r++) {
            const float *const at = sums + (2 * r + i) * VL;
            if (!is_whole)
                ifn_q8_store_panel(p, row + r, panel, at);
            else
                vf_store(out + r * p->out_stride,
                         p->bias ? vf_add(vf_load(at), bias) : vf_load(at));
        }
    }
}

/* Prefetches the cache lines that two panels of a row will be written to. */
static inline void ifn_q8_prefetch_out(const ifn_q8_product *p, int64_t row, int64_t panel)
{
    const char *const out = (const char *)(p->out + row * p->out_stride + panel * VL);
    __builtin_prefetch(out, 1);
    __builtin_prefetch(out + VEC_BYTES, 1);
}

/* What is left to prefetch of the next chunk of a panel, and how much of it with each tile. */
typedef struct ifn_q8_fetch {
    const uint8_t *next;
    int64_t lines, share;
} ifn_q8_fetch;

/*
 * Prepares to prefetch the next chunk while the n_tiles tiles of a pass multiply this one, a share per tile, so
 * that memory is never idle. After the last chunk of two panels come the next two panels.
 */
static inline ifn_q8_fetch ifn_q8_fetch_next(const ifn_q8_product *p, int64_t panel, int64_t from,
                                             int64_t n, int64_t n_tiles)
{
    if (!p->packed)
        return (ifn_q8_fetch){NULL, 0, 0};
    const bool is_last = from + n == p->n_blocks;
    const uint8_t *const next =
        is_last ? ifn_q8_packed_panel(p, panel + 2)
                : ifn_q8_packed_panel(p, panel) + ifn_q8_bytes(p->format, from + n);
    const int64_t lines = (int64_t)ifn_q8_bytes(p->format, n) / LINE_BYTES + 1;
    return (ifn_q8_fetch){next, lines, (lines + n_tiles - 1) / n_tiles};
}

static inline void ifn_q8_fetch_share(ifn_q8_fetch *f)
{
    for (int64_t i = 0; i < f->share && f->lines > 0; i++, f->lines--, f->next += LINE_BYTES)
        __builtin_prefetch(f->next);
}

#ifdef DOT_HAS_TILES
/* Places strips in the scratch of the call, if it is large enough. */
void IFN_KERNEL(q8_place_strips)(ifn_q8_product *p, const ifn_call *call);
size_t IFN_KERNEL(q8_strips_bytes)(const ifn_limits *max);
/* Multiplies rows [row, row + rows), whose strips fit the scratch, by panels first to last. */
void IFN_KERNEL(q8_multiply_strips)(const ifn_q8_product *p, int64_t row, int64_t rows,
                                    int64_t first, int64_t last);
#else /* no strips */
static inline void IFN_KERNEL(q8_place_strips)(ifn_q8_product *p, const ifn_call *call)
{
    (void)p, (void)call;
}

static inline size_t IFN_KERNEL(q8_strips_bytes)(const ifn_limits *max)
{
    (void)max;
    return 0;
}

static inline void IFN_KERNEL(q8_multiply_strips)(const ifn_q8_product *p, int64_t row,
                                                  int64_t rows, int64_t first, int64_t last)
{
    (void)p, (void)row, (void)rows, (void)first, (void)last;
}
#endif

#endif
