/* Elementwise ops: an element goes through the same instructions whether its vector is full or not. */
#ifndef IFN_MAP_H
#define IFN_MAP_H

#include "level.h"

/* Loads n elements from p, 0 <= n <= VL; where n is a constant, the compiler keeps one of the two loads. */
static inline vf vf_get(const float *p, int n)
{
    return n == VL ? vf_load(p) : vf_load_n(p, n);
}

static inline void vf_put(float *p, vf x, int n)
{
    if (n == VL)
        vf_store(p, x);
    else
        vf_store_n(p, x, n);
}

/* OUT[i .. i + n) = EXPR, which sees i and n, over the range PART. */
#define IFN_MAP(OUT, PART, EXPR)                                                                   \
    do {                                                                                           \
        int64_t i = (PART).begin;                                                                  \
        for (; i + VL <= (PART).end; i += VL) {                                                    \
            enum { n = VL };                                                                       \
            vf_store((OUT) + i, (EXPR));                                                           \
        }                                                                                          \
        if (i < (PART).end) {                                                                      \
            const int n = (int)((PART).end - i);                                                   \
            vf_store_n((OUT) + i, (EXPR), n);                                                      \
        }                                                                                          \
    } while (0)

#endif
