/* draw_below, without naming a state. */
#ifndef IFN_RANDOM_H
#define IFN_RANDOM_H

#include "draw.h"

static uint64_t state_of_random;

/* One of [0, n). */
static inline int64_t below(int64_t n)
{
    return draw_below(&state_of_random, n);
}

#endif
