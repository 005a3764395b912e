/* Reads tensors of a file and decodes them row by row, with one piece of the file in memory at a time. */
#ifndef IFN_CLI_TENSOR_SCAN_H
#define IFN_CLI_TENSOR_SCAN_H

#include <inferno/gguf.h>

#include "block_reader.h"
#include "progress.h"

typedef struct tensor_scan {
    block_reader reader;
    progress *bar;
    uint64_t done_bytes, all_bytes; /* what the bar shows */
} tensor_scan;

/* Errors  IFN_ERR_IO */
ifn_status tensor_scan_open(tensor_scan *self, const ifn_gguf *gguf, progress *bar, ifn_error *err);
void tensor_scan_close(tensor_scan *self); /* fine if all is zero and reader.fd is -1 */
/* Called for each row in order. */
typedef void tensor_row(void *cookie, int64_t row, const float *values, int64_t cols);

/**
 * Reads all rows of a tensor whose type is known.
 * Errors  IFN_ERR_IO: unreadable, or the file has become shorter; IFN_ERR_NOMEM
 */
ifn_status tensor_scan_rows(tensor_scan *self, const ifn_gguf_tensor *tensor, tensor_row *row,
                            void *cookie, ifn_error *err);

/* Reads a single row into `values`. */
ifn_status tensor_scan_row(tensor_scan *self, const ifn_gguf_tensor *tensor, int64_t row,
                           float *values, ifn_error *err);

#endif
