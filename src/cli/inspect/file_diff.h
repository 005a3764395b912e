/* Compares two files: their metadata, and the values of their tensors. */
#ifndef IFN_CLI_FILE_DIFF_H
#define IFN_CLI_FILE_DIFF_H

#include "inspection.h"

/* A tensor that only one file has, or that differs. */
typedef struct tensor_difference {
    const ifn_gguf_tensor *a, *b; /* NULL: only the other file has it */
    bool has_values;              /* shapes are equal and both decode: the members below are set */
    uint64_t n_different;
    double largest;       /* the largest difference; NaN: somewhere exactly one value is NaN */
    int64_t row, element; /* the place of the largest */
    double rms, rms_of_a; /* rms of the differences; of the values of a */
} tensor_difference;

/* A key that only one file has, or whose values differ. */
typedef struct key_difference {
    const ifn_gguf_kv *a, *b;
} key_difference;

typedef struct file_diff {
    const ifn_gguf *a, *b; /* borrowed */
    uint64_t n_same_keys, n_same_tensors;
    key_difference *keys; /* owned */
    size_t n_keys;
    tensor_difference *tensors; /* owned */
    size_t n_tensors;
} file_diff;

/* Compares all keys, and the tensors that `a` selects.
 * Errors: those of tensor_scan_rows */
ifn_status file_diff_run(file_diff *self, const inspection *a, const ifn_gguf *b, progress *bar,
                         ifn_error *err);
void file_diff_free(file_diff *self);

bool file_diff_is_empty(const file_diff *self);
void file_diff_print(const file_diff *self, FILE *out);
void file_diff_json(const file_diff *self, FILE *out);

#endif
