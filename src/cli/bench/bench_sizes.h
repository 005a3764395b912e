/* The calls by which an op is timed, with sizes of a real model. */
#ifndef IFN_CLI_BENCH_SIZES_H
#define IFN_CLI_BENCH_SIZES_H

#include <inferno/status.h>

#include "case.h"

/**
 * Parses the sizes of one call, "rows=1,dim=1024", up to the end or a ';', and skips the ';'. A size that is not named
 * is that of the first call that a model makes.
 * Errors  IFN_ERR_ARGUMENT naming --shape: no such dimension, no number
 */
ifn_status bench_sizes_next(const char **text, ifn_op op, conform_case *out, ifn_error *err);
/* Parses one dtype of a list and skips the comma after it. */
ifn_status bench_dtypes_next(const char **text, ifn_op op, conform_case *out, ifn_error *err);

#endif
