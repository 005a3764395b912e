/*
 * Monotonic time.
 *
 * Stability: stable.
 */
#ifndef INFERNO_CLOCK_H
#define INFERNO_CLOCK_H

#include <stdint.h>

#include <inferno/export.h>

IFN_EXTERN_C_BEGIN

/* Nanoseconds since some fixed moment; never runs backwards. */
IFN_API uint64_t ifn_clock_ns(void);

IFN_EXTERN_C_END

#endif
