/* Numbers that look random and are the same in every run of a test. */
#ifndef IFN_RANDOM_H
#define IFN_RANDOM_H

#include <stdint.h>

static uint64_t state_of_random;

/* One of [0, n). */
static inline int64_t below(int64_t n)
{
    state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(state_of_random >> 33) % n;
}

#endif
