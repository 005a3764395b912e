/* The smaller and the larger of two numbers. */
#ifndef IFN_MIN_MAX_H
#define IFN_MIN_MAX_H

#include <stdint.h>

static inline int64_t ifn_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t ifn_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
