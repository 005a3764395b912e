/* bench ops: times the matrix products of a level and compares them with the ceilings of the machine, OpenBLAS and
 * oneDNN. A kernel that fails its conformance cases is not timed. */
#ifndef IFN_CLI_BENCH_PRODUCTS_H
#define IFN_CLI_BENCH_PRODUCTS_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/status.h>

/* Options as typed; NULL: all, or the best there is. */
typedef struct bench_products {
    const char *op, *sizes, *level, *openblas, *against, *backend;
    int64_t n_threads; /* 0: one */
    bool json;
} bench_products;

/* Measures and prints. Refuses wrong options before it measures anything. */
ifn_status bench_products_run(const bench_products *self, ifn_error *err);

/* The child of bench_openblas_as: prints OpenBLAS's time as a multiple of the time of the bench_peak loop for its
 * parent. Seconds of two processes cannot be compared, as clock frequencies change. */
ifn_status bench_products_openblas(const bench_products *self, ifn_error *err);

#endif
