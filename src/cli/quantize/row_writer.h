/* Rows of f32 into a file, in any storage type, a few rows in memory at a time, encoded on several
 * threads. Rows do not know of each other, so the file does not depend on their number. */
#ifndef IFN_CLI_ROW_WRITER_H
#define IFN_CLI_ROW_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/gguf_writer.h>

#include "row_coder.h"

/* Where the rows of one tensor come from. */
typedef struct row_source {
    void *cookie;
    /* NULL, or told first, once for each stretch of rows in turn. */
    ifn_status (*begin)(void *cookie, int64_t first, int64_t n, ifn_error *err);
    /* Puts row `row` into out [cols]; called from several threads at once. */
    ifn_status (*row)(void *cookie, int64_t row, float *out);
    /* NULL, or told when rows have been written. */
    void (*written)(void *cookie, int64_t n);
} row_source;

typedef struct row_target {
    const row_coder *coder;
    ifn_gguf_writer *file;
    const char *input; /* the file that rows come from, for messages; NULL: there is none */
    const char *tensor;
    ifn_dtype dtype;
    int64_t rows, cols;
    const float
        *columns; /* how much the columns matter, of n_matrices of equal rows; NULL: all alike */
    int64_t n_matrices;
} row_target;

/**
 * Writes a tensor whole.
 * Errors  IFN_ERR_FORMAT naming tensor and row: a value is not finite, or becomes so in this type
 */
ifn_status row_write_all(const row_target *target, const row_source *source, ifn_error *err);

#endif
