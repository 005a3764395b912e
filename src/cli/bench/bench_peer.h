/* Products of other people's libraries, to be timed in turn with ours: OpenBLAS and oneDNN. */
#ifndef IFN_CLI_BENCH_PEER_H
#define IFN_CLI_BENCH_PEER_H

#include <stdint.h>

#include "ceilings.h"

typedef enum bench_library { BENCH_OPENBLAS, BENCH_ONEDNN } bench_library;

/* out[m,p] = a[m,n] b[n,p] in f32, on so many threads. */
typedef struct bench_product {
    int64_t m, n, p;
    int n_threads;
} bench_product;

typedef struct bench_peer bench_peer;

/* NULL where the shared library is not found. A library keeps the number of threads that the first
 * call of this process asked for. */
bench_peer *bench_peer_open(bench_library library, bench_product product);
void bench_peer_close(bench_peer *self);
bench_fn bench_peer_run; /* the cookie is the bench_peer */

/* How long OpenBLAS needs in a process of its own that is told its core type, in units of what a
 * call of the level's bench_peak needs there; 0 where that cannot be told. */
double bench_openblas_as(const char *core_type, const char *level, bench_product product);

#endif
