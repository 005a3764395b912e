#include "search.h"

#include "quant_priv.h"

static void affine(const float *x, int n_blocks, ifn_affine_shape shape, ifn_affine_fit *out)
{
    for (int b = 0; b < n_blocks; b++)
        ifn_search_affine(x + 256 * b, shape, &out[b]);
}

static void symmetric(const float *x, int n_blocks, ifn_symmetric_shape shape,
                      ifn_symmetric_fit *out)
{
    for (int b = 0; b < n_blocks; b++)
        ifn_search_symmetric(x + 256 * b, shape, &out[b]);
}

const ifn_searches ifn_plain_searches = {affine, symmetric};

ifn_status ifn_quantize_row_by(const ifn_searches *by, ifn_dtype dtype, const float *x, void *out,
                               int64_t cols)
{
    const int64_t n_blocks = cols / 256;
    if (cols < 0 || cols % 256 != 0)
        return ifn_quantize_row(dtype, x, out, cols);
    switch (dtype) {
#define X(NAME)                                                                                    \
    case IFN_DTYPE_##NAME:                                                                         \
        ifn_search_rows_##NAME(by, x, out, n_blocks);                                              \
        return IFN_OK;
        IFN_SEARCHED_DTYPES(X)
#undef X
    default:
        return ifn_quantize_row(dtype, x, out, cols);
    }
}
