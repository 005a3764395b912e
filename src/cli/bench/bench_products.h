/* bench ops: how fast the products of a level are, beside what the machine could do and OpenBLAS
 * and oneDNN do. A kernel that fails its conformance cases has no speed. */
#ifndef IFN_CLI_BENCH_PRODUCTS_H
#define IFN_CLI_BENCH_PRODUCTS_H

#include <stdbool.h>
#include <stdint.h>

#include <inferno/status.h>

/* As they were typed; NULL: all, or the best there is. */
typedef struct bench_products {
    const char *op, *sizes, *level, *openblas, *against, *backend;
    int64_t n_threads; /* 0: one */
    bool json;
} bench_products;

/* Wrong options are refused before anything is measured. */
ifn_status bench_products_run(const bench_products *self, ifn_error *err);

/* What a peer in a process of its own prints for its parent: its time as a multiple of the loop's,
 * for clocks differ from moment to moment. */
ifn_status bench_products_openblas(const bench_products *self, ifn_error *err);

#endif
