#include "row_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <inferno/quant.h>

void row_writer_free(row_writer *self)
{
    free(self->values);
    free(self->decoded);
    free(self->encoded);
    *self = (row_writer){.file = self->file};
}

ifn_status row_writer_fit(row_writer *self, int64_t cols, ifn_error *err)
{
    const size_t room = (size_t)cols;
    if (room <= self->room)
        return IFN_OK;
    row_writer_free(self);
    if (room <= SIZE_MAX / sizeof(float)) {
        /* No storage type takes more than an f32 does. */
        self->values = malloc(room * sizeof(float));
        self->decoded = malloc(room * sizeof(float));
        self->encoded = malloc(room * sizeof(float));
    }
    if (!self->values || !self->decoded || !self->encoded)
        return ifn_fail(err, IFN_ERR_NOMEM, "out of memory for rows of %zu elements", room);
    self->room = room;
    return IFN_OK;
}

ifn_status row_check_finite(const char *tensor, const float *values, int64_t cols, ifn_error *err)
{
    for (int64_t i = 0; i < cols; i++)
        if (!isfinite(values[i]))
            return ifn_fail(err, IFN_ERR_FORMAT,
                            "%s: found %g at column %" PRId64 ", expected finite weights", tensor,
                            (double)values[i], i);
    return IFN_OK;
}

/* A large value may be finite itself, but not in an f16 or with an f16 scale. */
static ifn_status check_encoded(row_writer *self, const char *tensor, ifn_dtype dtype, int64_t cols,
                                ifn_error *err)
{
    IFN_TRY(ifn_dequantize_row(dtype, self->encoded, self->decoded, cols));
    for (int64_t i = 0; i < cols; i++)
        if (!isfinite(self->decoded[i]))
            return ifn_fail(err, IFN_ERR_FORMAT,
                            "%s: found %g at column %" PRId64 ", too large for %s", tensor,
                            (double)self->values[i], i, ifn_dtype_name(dtype));
    return IFN_OK;
}

ifn_status row_writer_put(row_writer *self, const char *tensor, ifn_dtype dtype, int64_t cols,
                          ifn_error *err)
{
    IFN_TRY(row_check_finite(tensor, self->values, cols, err));
    if (ifn_quantize_row(dtype, self->values, self->encoded, cols) != IFN_OK)
        return ifn_fail(err, IFN_ERR_SHAPE, "%s: rows of %" PRId64 " do not fit the blocks of %s",
                        tensor, cols, ifn_dtype_name(dtype));
    if (dtype != IFN_DTYPE_F32)
        IFN_TRY(check_encoded(self, tensor, dtype, cols, err));
    return ifn_gguf_writer_write_data(self->file, self->encoded, ifn_dtype_row_bytes(dtype, cols),
                                      err);
}
