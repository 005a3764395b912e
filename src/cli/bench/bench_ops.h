/* bench --op: times calls of any op with the sizes of a real model, on any backend, and compares them with scalar, simd
 * and the ceilings of the machine. */
#ifndef IFN_CLI_BENCH_OPS_H
#define IFN_CLI_BENCH_OPS_H

#include "args.h"
#include "bench_document.h"

typedef struct bench_ops {
    const char *op;     /* "all", or names separated by commas */
    const char *shape;  /* the sizes of calls; NULL: those of bench_sizes.h */
    const char *dtypes; /* of weights, tables and caches; NULL: those of bench_sizes.h */
    arg_list backends;  /* expressions; none: the best there is */
    int64_t n_threads;  /* 0: one */
    const char *chart;  /* path of a roofline chart; NULL: none */
    bench_format format;
    bool is_wall, is_quiet;
} bench_ops;

/*
 * Prints one row for each backend, op, dtype and call. A kernel that fails its conformance cases is not timed; its row
 * has no speed.
 * Errors  IFN_ERR_ARGUMENT before anything is timed: no such op, dimension or dtype, backends that
 *         cannot be opened; IFN_ERR_UNSUPPORTED at the end: a kernel was not timed
 */
ifn_status bench_ops_run(const bench_ops *self, ifn_error *err);

#endif
