#include "tensor_scan.h"
#include "tensor_dims.h"

#include <inttypes.h>
#include <stdlib.h>

#include <inferno/quant.h>

ifn_status tensor_scan_open(tensor_scan *self, const ifn_gguf *gguf, progress *bar, ifn_error *err)
{
    *self = (tensor_scan){.bar = bar, .all_bytes = ifn_gguf_file_bytes(gguf)};
    return block_reader_open(&self->reader, ifn_gguf_path(gguf), err);
}

void tensor_scan_close(tensor_scan *self)
{
    block_reader_close(&self->reader);
}

static void show(tensor_scan *self, uint64_t bytes)
{
    self->done_bytes += bytes;
    progress_step(self->bar, (int64_t)self->done_bytes, (int64_t)self->all_bytes);
}

static ifn_status scan_pieces(tensor_scan *self, const ifn_gguf_tensor *tensor, float *values,
                              tensor_row *row_heard, void *cookie, ifn_error *err)
{
    enum { PIECE_BYTES = 1 << 20 };
    const ifn_tensor *const view = &tensor->view;
    const int64_t cols = tensor_row_length(view);
    const size_t row_bytes = ifn_dtype_row_bytes(view->dtype, cols);
    const uint64_t n_rows = tensor->bytes / row_bytes;
    const uint64_t in_piece = row_bytes < PIECE_BYTES ? PIECE_BYTES / row_bytes : 1;
    for (uint64_t row = 0; row < n_rows; row += in_piece) {
        const uint64_t n = n_rows - row < in_piece ? n_rows - row : in_piece;
        IFN_TRY(block_reader_read(&self->reader, tensor->offset + row * row_bytes,
                                  (size_t)n * row_bytes, err));
        for (uint64_t i = 0; i < n; i++) {
            IFN_TRY(
                ifn_dequantize_row(view->dtype, self->reader.data + i * row_bytes, values, cols));
            row_heard(cookie, (int64_t)(row + i), values, cols);
        }
        show(self, n * row_bytes);
    }
    return IFN_OK;
}

ifn_status tensor_scan_rows(tensor_scan *self, const ifn_gguf_tensor *tensor, tensor_row *row,
                            void *cookie, ifn_error *err)
{
    const ifn_tensor *const view = &tensor->view;
    if (tensor->bytes == 0)
        return IFN_OK;
    float *const values = malloc((size_t)tensor_row_length(view) * sizeof *values);
    if (!values)
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: %s: out of memory for a row of %" PRId64,
                        self->reader.path, view->name, tensor_row_length(view));
    const ifn_status status = scan_pieces(self, tensor, values, row, cookie, err);
    free(values);
    return status;
}

ifn_status tensor_scan_row(tensor_scan *self, const ifn_gguf_tensor *tensor, int64_t row,
                           float *values, ifn_error *err)
{
    const int64_t cols = tensor_row_length(&tensor->view);
    const size_t row_bytes = ifn_dtype_row_bytes(tensor->view.dtype, cols);
    IFN_TRY(block_reader_read(&self->reader, tensor->offset + (uint64_t)row * row_bytes, row_bytes,
                              err));
    return ifn_dequantize_row(tensor->view.dtype, self->reader.data, values, cols);
}
