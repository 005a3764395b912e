/* bench --op: calls of any op as a model in use makes them, on any backend, beside scalar and simd
 * and what the machine allows. */
#ifndef IFN_CLI_BENCH_OPS_H
#define IFN_CLI_BENCH_OPS_H

#include "args.h"
#include "bench_document.h"

typedef struct bench_ops {
    const char *op;     /* "all", or names with commas between them */
    const char *shape;  /* the sizes of one call; NULL: those of bench_sizes.h */
    const char *dtypes; /* of weights, tables and caches; NULL: likewise */
    arg_list backends;  /* expressions; none: the best there is */
    int64_t n_threads;  /* 0: one */
    const char *chart;  /* where a roofline is drawn; NULL: nowhere */
    bench_format format;
    bool is_wall, is_quiet;
} bench_ops;

/*
 * Prints one row for each backend, op, dtype and call; a kernel that fails its conformance cases
 * has a row without a speed.
 * Errors  IFN_ERR_ARGUMENT before anything is timed: no such op, dimension or dtype, backends that
 *         cannot be opened; IFN_ERR_UNSUPPORTED in the end: a kernel had no speed
 */
ifn_status bench_ops_run(const bench_ops *self, ifn_error *err);

#endif
