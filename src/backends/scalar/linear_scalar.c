/*
 * linear on weights of any storage dtype. Every output is one sum in ascending order over k. For
 * acceptable speed, the sums of PANEL features run side by side, and ROWS rows of x share a decoded piece
 * of the weights; neither changes the order inside any sum.
 */
#include "scalar.h"

#include <inferno/quant.h>

#include "min_max.h"

enum {
    PANEL = 8,   /* features */
    CHUNK = 256, /* elements of k decoded at a time: whole blocks of every dtype */
    ROWS = 32
};

static int weight_fits(const ifn_tensor *w, int64_t out_stride, int64_t k)
{
    const int64_t block = ifn_dtype_block_elements(w->dtype);
    return block > 0 && w->dtype != IFN_DTYPE_Q8_32F && k % block == 0 && w->n_dims == 2 &&
           w->shape[1] == k && w->shape[0] >= 0 && w->shape[0] <= out_stride;
}

int ifn_scalar_weights_fit(int64_t n_w, const ifn_tensor *const *w, const int64_t *out_stride,
                           int64_t k)
{
    if (n_w < 1 || n_w > IFN_LINEAR_MAX || k < 0)
        return 0;
    for (int64_t i = 0; i < n_w; i++)
        if (!weight_fits(w[i], out_stride[i], k))
            return 0;
    return 1;
}

/* out[j][f] = w[features.begin + f][from + j]; columns without a feature keep their values. */
static ifn_status decode_panel(const ifn_tensor *w, ifn_range features, int64_t from, int64_t n,
                               float (*out)[PANEL])
{
    const size_t row_bytes = ifn_dtype_row_bytes(w->dtype, w->shape[1]);
    const size_t from_bytes = ifn_dtype_row_bytes(w->dtype, from);
    for (int64_t f = features.begin; f < features.end; f++) {
        float row[CHUNK];
        const unsigned char *const data = (const unsigned char *)w->data + (size_t)f * row_bytes;
        IFN_TRY(ifn_dequantize_row(w->dtype, data + from_bytes, row, n));
        for (int64_t j = 0; j < n; j++)
            out[j][f - features.begin] = row[j];
    }
    return IFN_OK;
}

/* sums[f] += x[j] * w[j][f], ascending j */
IFN_SCALAR_UNSANITIZED static void multiply_add(float *sums, const float *x,
                                                const float (*w)[PANEL], int64_t n)
{
    float s[PANEL];
    memcpy(s, sums, sizeof s);
    for (int64_t j = 0; j < n; j++)
        for (int f = 0; f < PANEL; f++)
            s[f] += x[j] * w[j][f];
    memcpy(sums, s, sizeof s);
}

/* Computes at most PANEL features of weight i for at most ROWS rows. */
static ifn_status multiply_tile(const ifn_linear_args *a, int64_t i, ifn_range features,
                                ifn_range rows)
{
    float sums[ROWS][PANEL], w[CHUNK][PANEL];
    memset(sums, 0, (size_t)(rows.end - rows.begin) * sizeof *sums);
    if (features.end - features.begin < PANEL)
        memset(w, 0, (size_t)ifn_min(a->k, CHUNK) * sizeof *w);
    for (int64_t from = 0; from < a->k; from += CHUNK) {
        const int64_t n = ifn_min(CHUNK, a->k - from);
        IFN_TRY(decode_panel(a->w[i], features, from, n, w));
        for (int64_t r = rows.begin; r < rows.end; r++)
            multiply_add(sums[r - rows.begin], a->x + r * a->x_stride + from,
                         (const float(*)[PANEL])w, n);
    }
    for (int64_t r = rows.begin; r < rows.end; r++) {
        for (int64_t f = features.begin; f < features.end; f++) {
            const float sum = sums[r - rows.begin][f - features.begin];
            a->out[i][r * a->out_stride[i] + f] = a->bias[i] ? sum + a->bias[i][f] : sum;
        }
    }
    return IFN_OK;
}

static ifn_status multiply(const ifn_linear_args *a, int64_t i, ifn_range features, ifn_range rows)
{
    for (int64_t f = features.begin; f < features.end; f += PANEL) {
        const ifn_range panel = {f, ifn_min(f + PANEL, features.end)};
        for (int64_t r = rows.begin; r < rows.end; r += ROWS) {
            const ifn_range tile = {r, ifn_min(r + ROWS, rows.end)};
            IFN_TRY(multiply_tile(a, i, panel, tile));
        }
    }
    return IFN_OK;
}

ifn_status ifn_scalar_linear(ifn_backend *self, const ifn_linear_args *a)
{
    (void)self;
    if (a->rows < 0 || a->x_stride < a->k ||
        !ifn_scalar_weights_fit(a->n_w, a->w, a->out_stride, a->k))
        return IFN_ERR_SHAPE;
    const ifn_range part = {a->part_begin, a->part_end};
    const ifn_range rows = ifn_part(a->part2_begin, a->part2_end, a->rows);
    for (int64_t i = 0; i < a->n_w; i++) {
        IFN_TRY(multiply(a, i, ifn_part_of_weight(part, a->w, i), rows));
    }
    return IFN_OK;
}
