/* Monotonic time in seconds. */
#ifndef IFN_SECONDS_H
#define IFN_SECONDS_H

#include <inferno/clock.h>

static inline double seconds_now(void)
{
    return 1e-9 * (double)ifn_clock_ns();
}

/* Seconds since `start`, a time of ifn_clock_ns. */
static inline double seconds_since(uint64_t start)
{
    return 1e-9 * (double)(ifn_clock_ns() - start);
}

#endif
