/* Summary of a run of quantize: types and sizes before and after. */
#ifndef IFN_CLI_QUANTIZE_SUMMARY_H
#define IFN_CLI_QUANTIZE_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include <inferno/gguf.h>

/* Sums over all tensors. */
typedef struct quantize_summary {
    uint64_t n_tensors, n_weighted; /* n_weighted: those with an importance matrix */
    uint64_t old_bytes, new_bytes, n_parameters;
    uint64_t of_type[IFN_DTYPE_COUNT], bytes_of_type[IFN_DTYPE_COUNT];
} quantize_summary;

/* Counts a tensor, and prints it to `list` unless that is NULL. */
void quantize_summary_add(quantize_summary *self, const ifn_gguf_tensor *tensor, ifn_dtype dtype,
                          bool is_weighted, FILE *list);
/* Prints types and sizes. `seconds` 0: nothing was written. */
void quantize_summary_print(const quantize_summary *self, double seconds, FILE *out);

#endif
