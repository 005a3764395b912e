/* Matrix products of OpenBLAS and oneDNN, to be timed in turn with those of this project. */
#ifndef IFN_CLI_BENCH_PEER_H
#define IFN_CLI_BENCH_PEER_H

#include <stdint.h>

#include "ceilings.h"

typedef enum bench_library { BENCH_OPENBLAS, BENCH_ONEDNN } bench_library;

/* out[m,p] = a[m,n] b[n,p] in f32, on n_threads threads. */
typedef struct bench_product {
    int64_t m, n, p;
    int n_threads;
} bench_product;

typedef struct bench_peer bench_peer;

/* Returns NULL if the shared library is not found. A library keeps the number of threads of the first product that this
 * process opens. */
bench_peer *bench_peer_open(bench_library library, bench_product product);
void bench_peer_close(bench_peer *self);
bench_fn bench_peer_run; /* the cookie is the bench_peer */

/* Runs OpenBLAS in a child process with a given core type. Returns its time as a multiple of that of a bench_peak
 * call of the level in the same process; 0: unknown. */
double bench_openblas_as(const char *core_type, const char *level, bench_product product);

#endif
