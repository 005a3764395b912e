/* What bench is made of besides the ceilings of this machine: numbers and a judge. */
#ifndef IFN_CLI_BENCH_H
#define IFN_CLI_BENCH_H

#include <stdint.h>

#include <inferno/backend.h>

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

#endif
