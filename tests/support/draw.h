/* Numbers that look random and are the same in every run of a test: the upper half of a linear
 * congruential generator of 64 bits (D. Knuth, MMIX). A state begins with any seed. */
#ifndef IFN_DRAW_H
#define IFN_DRAW_H

#include <stdint.h>

static inline uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* One of [0, n). */
static inline int64_t draw_below(uint64_t *state, int64_t n)
{
    return (int64_t)draw(state) % n;
}

#endif
