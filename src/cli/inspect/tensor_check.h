/* Every weight of a file looked at once, by reading: which are no finite numbers. */
#ifndef IFN_CLI_TENSOR_CHECK_H
#define IFN_CLI_TENSOR_CHECK_H

#include <inferno/gguf.h>

#include "json_writer.h"
#include "progress.h"

/* A tensor that is not all right. */
typedef struct tensor_finding {
    const ifn_gguf_tensor *tensor;
    int64_t row, element; /* the first value that is not finite */
    float value;
    uint64_t n_values, n_rows; /* of all that are not; 0: its type cannot be decoded here */
} tensor_finding;

typedef struct tensor_check {
    const ifn_gguf *gguf;     /* borrowed */
    tensor_finding *findings; /* owned, in the order of the file */
    size_t n;
} tensor_check;

/**
 * Reads all tensors, a piece in memory at a time, and decodes them: a block whose scale is not
 * finite has no finite values.
 * Errors  IFN_ERR_IO: unreadable, or the file has become shorter
 */
ifn_status tensor_check_run(tensor_check *self, const ifn_gguf *gguf, progress *bar,
                            ifn_error *err);
void tensor_check_free(tensor_check *self); /* all zero: there was none */

/* A line for each finding, or one that all is well. */
void tensor_check_print(const tensor_check *self, FILE *out);
/* As a value: {"tensors": n, "not_finite": [...], "not_decoded": [...]} */
void tensor_check_json(const tensor_check *self, json_writer *json);

#endif
