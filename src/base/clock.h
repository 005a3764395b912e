/* Monotonic time. */
#ifndef IFN_CLOCK_H
#define IFN_CLOCK_H

#include <stdint.h>

uint64_t ifn_clock_ns(void);

#endif
