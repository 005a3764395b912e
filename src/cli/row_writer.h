/* Rows of f32 into a file, in any storage type, one row in memory at a time. */
#ifndef IFN_CLI_ROW_WRITER_H
#define IFN_CLI_ROW_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/gguf_writer.h>

/* Caller's storage; grows to the longest row it meets. */
typedef struct row_writer {
    ifn_gguf_writer *file; /* borrowed */
    float *values;         /* [cols]: the caller puts a row here */
    float *decoded;        /* [cols] */
    void *encoded;
    size_t room; /* elements of each */
} row_writer;

/* Makes room for rows of `cols` elements; what stood in `values` is lost. */
ifn_status row_writer_fit(row_writer *self, int64_t cols, ifn_error *err);
void row_writer_free(row_writer *self);

/**
 * Writes `values` as one row of `dtype`.
 * Errors  IFN_ERR_FORMAT naming the tensor: a value is not finite, or becomes so in this type
 */
ifn_status row_writer_put(row_writer *self, const char *tensor, ifn_dtype dtype, int64_t cols,
                          ifn_error *err);

/* Errors  IFN_ERR_FORMAT naming the tensor and the first value that is not finite */
ifn_status row_check_finite(const char *tensor, const float *values, int64_t cols, ifn_error *err);

#endif
