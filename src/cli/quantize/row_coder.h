/* Rows to and from storage types, on the best vectors this processor has and on several threads at
 * once. The bits are those of ifn_quantize_row and ifn_dequantize_row on every level. */
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

/* One row of cols elements; from any number of threads. columns: how much each matters
 * (ifn_quantize_row_weighted); NULL: all alike. */
ifn_status row_encode(const row_coder *self, ifn_dtype dtype, const float *x, const float *columns,
                      void *out, int64_t cols);
ifn_status row_decode(const row_coder *self, ifn_dtype dtype, const void *x, float *out,
                      int64_t cols);

#endif
