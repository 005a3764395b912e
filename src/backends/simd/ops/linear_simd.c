/*
 * linear, on the tiles of gemm_tile.h, for weights of every dtype: panels of decoded weights are made
 * during the call, or were made by prepare. One chain of sums per element, ascending k, and the bias
 * last: h(k) = k. Reads each weight once and 4 rows k bytes of x, writes 4 rows n,
 * does 2 rows n k operations.
 */
#include <stdbool.h>

#include "half_rows.h"
#include "raw_row.h"
#include "scalar.h"
#include "weight_panels.h"
#ifdef VEC_HAS_BF16_TILES
#include "gemm_slices.h"
#endif

/* The product of a range of rows of x and a range of features of weight i, whose b is yet to be set. */
static gemm product_of(const ifn_linear_args *a, int64_t i, ifn_range features, ifn_range rows)
{
    return (gemm){
        .rows = rows.end - rows.begin,
        .cols = features.end - features.begin,
        .k = a->k,
        .a = a->x + rows.begin * a->x_stride,
        .a_stride = a->x_stride,
        .first_col = features.begin,
        .out = a->out[i] + rows.begin * a->out_stride[i] + features.begin,
        .out_stride = a->out_stride[i],
        .bias = a->bias[i] ? a->bias[i] + features.begin : NULL,
        .call = &a->call,
    };
}

/* Multiplies a range of rows of x by a range of features of weight i. */
static void multiply(const ifn_linear_args *a, int64_t i, ifn_range features, ifn_range rows)
{
    const ifn_tensor *const w = a->w[i];
    const void *const packed = ifn_simd_packed_linear(a->packed[i]);
    const gemm_source raw = IFN_GEMM_KERNEL(weight_source)(w);
    const packed_halves halves = IFN_GEMM_KERNEL(packed_halves)(w, packed);
    gemm g = product_of(a, i, features, rows);
    if (packed && w->dtype == IFN_DTYPE_F32)
        g.b_panels = (const float *)packed + features.begin * a->k;
    else
        g.b_source = packed ? &halves.source : &raw;
    if (g.b_source == &halves.source && g.rows > 0 && g.rows <= HALF_ROWS)
        IFN_GEMM_KERNEL(half_rows)(&g, &halves);
    else if (!packed && w->dtype == IFN_DTYPE_F32 && g.rows == 1)
        raw_row(&g, w);
    else
        IFN_GEMM_KERNEL(gemm)(&g);
}

#ifdef VEC_HAS_BF16_TILES
/* Multiplies a range of rows of x by a part of all weights of bf16, whose slices of x are made once. */
static void multiply_slices(const ifn_linear_args *a, ifn_range part, ifn_range rows)
{
    sliced_product products[IFN_LINEAR_MAX];
    gemm_source raw[IFN_LINEAR_MAX];
    int n = 0;
    for (int64_t i = 0; i < a->n_w; i++) {
        const ifn_range features = ifn_part_of_weight(part, a->w, i);
        if (a->w[i]->dtype != IFN_DTYPE_BF16 || features.begin >= features.end)
            continue;
        sliced_product *const p = &products[n];
        const void *const packed = ifn_simd_packed_linear(a->packed[i]);
        raw[n] = IFN_GEMM_KERNEL(weight_source)(a->w[i]);
        p->w = IFN_KERNEL(packed_pairs)(a->w[i], packed);
        p->g = product_of(a, i, features, rows);
        p->g.b_source = packed ? &p->w.source : &raw[n];
        n++;
    }
    if (n > 0 && a->k >= SLICED_K)
        IFN_KERNEL(gemm_slices)(products, n);
    for (int i = 0; i < n && a->k < SLICED_K; i++)
        IFN_GEMM_KERNEL(gemm)(&products[i].g);
}

static bool is_sliced(const ifn_tensor *w)
{
    return w->dtype == IFN_DTYPE_BF16;
}
#else
static void multiply_slices(const ifn_linear_args *a, ifn_range part, ifn_range rows)
{
    (void)a, (void)part, (void)rows;
}

static bool is_sliced(const ifn_tensor *w)
{
    (void)w;
    return false;
}
#endif

ifn_status IFN_KERNEL(linear)(ifn_backend *self, const ifn_linear_args *a)
{
    (void)self;
    if (a->rows < 0 || a->x_stride < a->k ||
        !ifn_scalar_weights_fit(a->n_w, a->w, a->out_stride, a->k))
        return IFN_ERR_SHAPE;
    const ifn_range part = {a->part_begin, a->part_end};
    const ifn_range rows = ifn_part(a->part2_begin, a->part2_end, a->rows);
    for (int64_t i = 0; i < a->n_w; i++) {
        const ifn_range features = ifn_part_of_weight(part, a->w, i);
        if (features.begin < features.end && !is_sliced(a->w[i]))
            multiply(a, i, features, rows);
    }
    multiply_slices(a, part, rows);
    return IFN_OK;
}
