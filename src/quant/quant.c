/* Dispatches to the row functions of a dtype, after checking their preconditions. */
#include <inferno/quant.h>

#include "quant_priv.h"
#include "search.h"

typedef struct row_functions {
    void (*dequantize)(const void *x, float *out, int64_t n_blocks);
    void (*quantize)(const float *x, void *out, int64_t n_blocks);
    int block_shift; /* log2 of a block's elements: saves a division, as scalar attention decodes key by key */
} row_functions;

/* ifn_dequantize_F32, ifn_quantize_F32, ... in the order of ifn_dtype. */
static const row_functions functions[] = {
#define X(NAME, gguf_type, block, bytes)                                                           \
    {ifn_dequantize_##NAME, ifn_quantize_##NAME, __builtin_ctz(block)},
    IFN_DTYPES(X)
#undef X
};

static ifn_status count_blocks(ifn_dtype dtype, int64_t cols, int64_t *n_blocks)
{
    *n_blocks = 0;
    if ((size_t)dtype >= IFN_DTYPE_COUNT)
        return IFN_ERR_ARGUMENT;
    if (cols == 0)
        return IFN_OK;
    if (ifn_dtype_row_bytes(dtype, cols) == 0)
        return IFN_ERR_SHAPE;
    *n_blocks = cols >> functions[dtype].block_shift;
    return IFN_OK;
}

ifn_status ifn_dequantize_row(ifn_dtype dtype, const void *x, float *out, int64_t cols)
{
    int64_t n_blocks;
    IFN_TRY(count_blocks(dtype, cols, &n_blocks));
    functions[dtype].dequantize(x, out, n_blocks);
    return IFN_OK;
}

ifn_status ifn_quantize_row(ifn_dtype dtype, const float *x, void *out, int64_t cols)
{
    int64_t n_blocks;
    IFN_TRY(count_blocks(dtype, cols, &n_blocks));
    functions[dtype].quantize(x, out, n_blocks);
    return IFN_OK;
}

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
