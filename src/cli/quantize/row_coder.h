/* Encodes rows to storage types and decodes them, with the best vector instructions of this processor and from several
 * threads. On every level the bits are those of ifn_quantize_row and ifn_dequantize_row. */
#ifndef IFN_CLI_ROW_CODER_H
#define IFN_CLI_ROW_CODER_H

#include <stdint.h>

#include <inferno/backend.h>

typedef struct row_coder {
    ifn_backend *backend;
    int n_threads; /* at most TEAM_MAX */
} row_coder;

/* n_threads 0: one for each processor. */
ifn_status row_coder_open(row_coder *self, int64_t n_threads, ifn_error *err);
void row_coder_close(row_coder *self);

/* Encode, decode one row of cols elements; may be called from several threads. columns: the importance of each column
 * (ifn_quantize_row_weighted); NULL: all are equal. */
ifn_status row_encode(const row_coder *self, ifn_dtype dtype, const float *x, const float *columns,
                      void *out, int64_t cols);
ifn_status row_decode(const row_coder *self, ifn_dtype dtype, const void *x, float *out,
                      int64_t cols);

#endif
