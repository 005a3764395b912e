/* The calls by which an op is timed: sizes that a model in use gives it. */
#ifndef IFN_CLI_BENCH_SIZES_H
#define IFN_CLI_BENCH_SIZES_H

#include <inferno/status.h>

#include "case.h"

/**
 * Reads the sizes of one call, "rows=1,dim=1024", up to the end or a ';', which it steps over.
 * Sizes that are not named are those of the first call that a model makes.
 * Errors  IFN_ERR_ARGUMENT naming --shape: no such dimension, no number
 */
ifn_status bench_sizes_next(const char **text, ifn_op op, conform_case *out, ifn_error *err);
/* Reads one dtype of a list and steps over the comma after it. */
ifn_status bench_dtypes_next(const char **text, ifn_op op, conform_case *out, ifn_error *err);

#endif
