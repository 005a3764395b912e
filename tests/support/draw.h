/* Pseudo-random numbers, the same in every run of a test: the upper half of a 64-bit linear
 * congruential generator (D. Knuth, MMIX). Any initial state is a valid seed. */
#ifndef IFN_DRAW_H
#define IFN_DRAW_H

#include <stdint.h>

static inline uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* A number in [0, n). */
static inline int64_t draw_below(uint64_t *state, int64_t n)
{
    return (int64_t)draw(state) % n;
}

#endif
