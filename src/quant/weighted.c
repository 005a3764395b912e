/*
 * Quantizes rows with weights per column. As in llama.cpp, the weight of an element is its column's
 * times sqrt(sigma^2 + x^2), as an error in a large number does more harm. sigma^2 is the mean square
 * of the row for blocks of 32, the mean square of the block for Q2_K, and twice that for the other
 * K formats; for Q6_K the weight is the column's alone.
 */
#include <inferno/quant.h>

#include "quant_priv.h"

static float mean_square(const float *x, int64_t n)
{
    float sum = 0.0f;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum / (float)n;
}

/* sigma^2 of a K format as a multiple of the block's mean square; not used for Q6_K. */
static float sigma_factor(ifn_dtype dtype)
{
    return dtype == IFN_DTYPE_Q6_K ? 0.0f : dtype == IFN_DTYPE_Q2_K ? 1.0f : 2.0f;
}

static void weigh(const float *x, const float *columns, float sigma2, int n, float *out)
{
    for (int i = 0; i < n; i++)
        out[i] = columns[i] * sqrtf(sigma2 + x[i] * x[i]);
}

typedef void weighted_rows(const float *x, const float *weights, void *out, int64_t n_blocks);

/* The encoder of a block format; NULL if the dtype rounds every number by itself. */
static weighted_rows *encoder_of(ifn_dtype dtype)
{
    switch (dtype) {
#define X(NAME, name)                                                                              \
    case IFN_DTYPE_##NAME:                                                                         \
        return ifn_weighted_rows_##NAME;
        IFN_BLOCK_DTYPES(X)
#undef X
    default:
        return NULL;
    }
}

ifn_status ifn_quantize_row_weighted(ifn_dtype dtype, const float *x, const float *columns,
                                     void *out, int64_t cols)
{
    float weights[256] = {0};
    weighted_rows *const encode = columns ? encoder_of(dtype) : NULL;
    if (!encode || cols == 0)
        return ifn_quantize_row(dtype, x, out, cols);
    if (ifn_dtype_row_bytes(dtype, cols) == 0)
        return IFN_ERR_SHAPE;
    const int n = (int)ifn_dtype_block_elements(dtype), is_k = n == 256;
    const float of_row = is_k ? 0.0f : mean_square(x, cols);
    for (int64_t i = 0; i < cols; i += n) {
        const float sigma2 = is_k ? sigma_factor(dtype) * mean_square(x + i, n) : of_row;
        if (dtype == IFN_DTYPE_Q6_K)
            memcpy(weights, columns + i, sizeof weights);
        else
            weigh(x + i, columns + i, sigma2, n, weights);
        encode(x + i, weights, (uint8_t *)out + (size_t)(i / n) * ifn_dtype_block_bytes(dtype), 1);
    }
    return IFN_OK;
}
