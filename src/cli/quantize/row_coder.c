#include "row_coder.h"

#include <inferno/quant.h>

#include "team.h"

ifn_status row_coder_open(row_coder *self, int64_t n_threads, ifn_error *err)
{
    *self = (row_coder){.n_threads = n_threads ? (int)n_threads : team_size()};
    /* Neither backend keeps state between calls, so threads may share one. */
    if (ifn_backend_open("simd", NULL, &self->backend, NULL) == IFN_OK)
        return IFN_OK;
    return ifn_backend_open("scalar", NULL, &self->backend, err);
}

void row_coder_close(row_coder *self)
{
    ifn_backend_close(self->backend);
    *self = (row_coder){0};
}

ifn_status row_encode(const row_coder *self, ifn_dtype dtype, const float *x, const float *columns,
                      void *out, int64_t cols)
{
    if (columns)
        return ifn_quantize_row_weighted(dtype, x, columns, out, cols);
    const ifn_quantize_rows_args a =
        IFN_ARGS(quantize_rows, .out = out, .x = x, .rows = 1, .cols = cols, .out_dtype = dtype);
    return ifn_quantize_rows(self->backend, &a);
}

ifn_status row_decode(const row_coder *self, ifn_dtype dtype, const void *x, float *out,
                      int64_t cols)
{
    const ifn_dequantize_rows_args a =
        IFN_ARGS(dequantize_rows, .out = out, .x = x, .rows = 1, .cols = cols, .dtype = dtype);
    return ifn_dequantize_rows(self->backend, &a);
}
