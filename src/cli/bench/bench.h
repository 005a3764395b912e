/* Shared parts of bench: random numbers, the number of threads, and the conformance check of an op. */
#ifndef IFN_CLI_BENCH_H
#define IFN_CLI_BENCH_H

#include <stdint.h>

#include <inferno/backend.h>

/* Returns the next number of a reproducible pseudo-random sequence: the upper half of a linear congruential generator
 * (D. Knuth, MMIX). Any initial state is valid. */
static inline uint32_t bench_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* Returns how many threads run a call: the lanes of the innermost backend. */
static inline int64_t bench_threads_of(const ifn_backend *backend)
{
    while (backend->inner)
        backend = backend->inner;
    return ifn_backend_n_lanes(backend);
}

/* Returns 1 if the op's smoke cases pass on this backend; 0 if one fails; -1 if they could not be run, with a message
 * on standard error. Discards their own output. */
int bench_is_conformant(const char *expression, ifn_op op);

#endif
