/* Encodes rows of f32 to any storage type on several threads and writes them to a file, with a few rows in memory at a
 * time. Rows are encoded independently, so the file does not depend on the number of threads. */
#ifndef IFN_CLI_ROW_WRITER_H
#define IFN_CLI_ROW_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/gguf_writer.h>

#include "row_coder.h"

/* The source of the rows of one tensor. */
typedef struct row_source {
    void *cookie;
    /* Called before each stretch of n consecutive rows, in order; or NULL. */
    ifn_status (*begin)(void *cookie, int64_t first, int64_t n, ifn_error *err);
    /* Puts row `row` into out [cols]; called from several threads at once. */
    ifn_status (*row)(void *cookie, int64_t row, float *out);
    /* Called when n rows have been written; or NULL. */
    void (*written)(void *cookie, int64_t n);
} row_source;

typedef struct row_target {
    const row_coder *coder;
    ifn_gguf_writer *file;
    const char *input; /* the input file, for messages; NULL: none */
    const char *tensor;
    ifn_dtype dtype;
    int64_t rows, cols;
    const float
        *columns; /* importance of columns, of n_matrices matrices of equal rows; NULL: all equal */
    int64_t n_matrices;
} row_target;

/**
 * Writes all rows of a tensor.
 * Errors  IFN_ERR_FORMAT naming tensor and row: a value is not finite, or becomes so in this type
 */
ifn_status row_write_all(const row_target *target, const row_source *source, ifn_error *err);

#endif
