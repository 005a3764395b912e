/* What bench is made of besides the ceilings of this machine: numbers, a judge, and a peer. */
#ifndef IFN_CLI_BENCH_H
#define IFN_CLI_BENCH_H

#include <stdint.h>

#include <inferno/backend.h>

#include "ceilings.h"

/* The next of a sequence of numbers that look random and are the same every time: the upper half of
 * a linear congruential generator (D. Knuth, MMIX). Any state begins one. */
static inline uint32_t bench_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* How many threads a call of this backend has: those of the innermost. */
static inline int64_t bench_threads_of(const ifn_backend *backend)
{
    while (backend->inner)
        backend = backend->inner;
    return ifn_backend_n_lanes(backend);
}

/* 1 if the op's smoke cases pass on this backend, here; 0 if one fails; -1 if they could not be
 * run, which has been said on standard error. What they print goes nowhere. */
int bench_is_conformant(const char *expression, ifn_op op);

/* OpenBLAS, on one thread: out[m,p] = a[m,n] b[n,p]. */
typedef struct bench_openblas bench_openblas;

/* NULL where its shared library is not found. */
bench_openblas *bench_openblas_open(int64_t m, int64_t n, int64_t p);
void bench_openblas_close(bench_openblas *self);
bench_fn bench_openblas_run; /* the cookie is the bench_openblas */

/* How long OpenBLAS needs in a process of its own that is told its core type, in units of what a
 * call of the level's bench_peak needs there; 0 where that cannot be told. */
double bench_openblas_as(const char *core_type, const char *level, int64_t m, int64_t n, int64_t p);

#endif
