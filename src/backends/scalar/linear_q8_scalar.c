/* linear on Q8_32F rows: one call of the weight format's inner product per output element. */
#include "dot_scalar.h"
#include "scalar.h"

typedef float (*dot_function)(const void *w, const ifn_block_q8_32f *x, int64_t n);

/* NULL for dtypes that are not quantized: linear_q8 refuses them. */
static const dot_function dots[IFN_DTYPE_COUNT] = {
#define X(NAME, name) [IFN_DTYPE_##NAME] = ifn_scalar_dot_##name,
    IFN_BLOCK_DTYPES(X)
#undef X
};

/* k is a multiple of 32, as it is a multiple of a quantized format's block. */
static int fits(const ifn_linear_q8_args *a)
{
    if (a->rows < 0 || a->x_stride < a->k / 32 ||
        !ifn_scalar_weights_fit(a->n_w, a->w, a->out_stride, a->k))
        return 0;
    for (int64_t i = 0; i < a->n_w; i++)
        if (!dots[a->w[i]->dtype])
            return 0;
    return 1;
}

static float dot(const ifn_linear_q8_args *a, const ifn_tensor *w, int64_t feature, int64_t row)
{
    if (a->k == 0)
        return 0.0f;
    const size_t at = (size_t)feature * ifn_dtype_row_bytes(w->dtype, a->k);
    const unsigned char *const data = w->data;
    return dots[w->dtype](data + at, a->x + row * a->x_stride, a->k / 32);
}

static void multiply(const ifn_linear_q8_args *a, int64_t i, ifn_range features, ifn_range rows)
{
    for (int64_t f = features.begin; f < features.end; f++) {
        for (int64_t r = rows.begin; r < rows.end; r++) {
            const float sum = dot(a, a->w[i], f, r);
            a->out[i][r * a->out_stride[i] + f] = a->bias[i] ? sum + a->bias[i][f] : sum;
        }
    }
}

ifn_status ifn_scalar_linear_q8(ifn_backend *self, const ifn_linear_q8_args *a)
{
    (void)self;
    if (!fits(a))
        return IFN_ERR_SHAPE;
    const ifn_range part = {a->part_begin, a->part_end};
    const ifn_range rows = ifn_part(a->part2_begin, a->part2_end, a->rows);
    for (int64_t i = 0; i < a->n_w; i++) {
        multiply(a, i, ifn_part_of_weight(part, a->w, i), rows);
    }
    return IFN_OK;
}
