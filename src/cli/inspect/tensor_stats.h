/* Statistics of the values of a tensor. */
#ifndef IFN_CLI_TENSOR_STATS_H
#define IFN_CLI_TENSOR_STATS_H

#include "json_writer.h"
#include "tensor_scan.h"

typedef struct tensor_stats {
    bool is_known;             /* its type can be decoded here */
    uint64_t n, n_zero, n_nan; /* values; zeros of either sign; NaN */
    uint64_t n_infinite;
    double least, most; /* of all values except NaN */
    double sum, squares;
    double mean, rms; /* of finite values */
} tensor_stats;

/* Reads the tensor. Errors: those of tensor_scan_rows. */
ifn_status tensor_stats_of(tensor_scan *scan, const ifn_gguf_tensor *tensor, tensor_stats *out,
                           ifn_error *err);

/* Prints the statistics on one line, without a newline. */
void tensor_stats_print(const tensor_stats *self, FILE *out);
/* Writes {"min": ...}; null if there is no such value, or the type cannot be decoded. */
void tensor_stats_json(const tensor_stats *self, json_writer *json);

#endif
