/* Reads all weights of a file and finds values that are NaN or infinite. */
#ifndef IFN_CLI_TENSOR_CHECK_H
#define IFN_CLI_TENSOR_CHECK_H

#include <inferno/gguf.h>

#include "json_writer.h"
#include "progress.h"

/* A tensor with values that are not finite, or that cannot be decoded. */
typedef struct tensor_finding {
    const ifn_gguf_tensor *tensor;
    int64_t row, element; /* the first value that is not finite */
    float value;
    uint64_t n_values, n_rows; /* values that are not finite, rows with one; 0: cannot be decoded */
} tensor_finding;

typedef struct tensor_check {
    const ifn_gguf *gguf;     /* borrowed */
    tensor_finding *findings; /* owned, in the order of the file */
    size_t n;
} tensor_check;

/**
 * Reads all tensors piece by piece and decodes them. A block whose scale is not finite has no finite values.
 * Errors  IFN_ERR_IO: unreadable, or the file has become shorter
 */
ifn_status tensor_check_run(tensor_check *self, const ifn_gguf *gguf, progress *bar,
                            ifn_error *err);
void tensor_check_free(tensor_check *self); /* all zero is fine */
/* Prints a line for each finding, or one that says that all is well. */
void tensor_check_print(const tensor_check *self, FILE *out);
/* Writes the value {"tensors": n, "not_finite": [...], "not_decoded": [...]}. */
void tensor_check_json(const tensor_check *self, json_writer *json);

#endif
