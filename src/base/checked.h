/* Checked arithmetic, for sizes that come from a file: each function returns false if the result does not fit. */
#ifndef IFN_CHECKED_H
#define IFN_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool ifn_add_size(size_t a, size_t b, size_t *out)
{
    *out = a + b;
    return *out >= a;
}

static inline bool ifn_mul_size(size_t a, size_t b, size_t *out)
{
    *out = a * b;
    return a == 0 || *out / a == b;
}

static inline bool ifn_add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    *out = a + b;
    return *out >= a;
}

static inline bool ifn_mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    *out = a * b;
    return a == 0 || *out / a == b;
}

/* Product of two counts, both >= 0. */
static inline bool ifn_mul_i64(int64_t a, int64_t b, int64_t *out)
{
    if (a < 0 || b < 0 || (b != 0 && a > INT64_MAX / b))
        return false;
    *out = a * b;
    return true;
}

/* Rounds up to a multiple of `to`, a power of two. */
static inline bool ifn_round_up_size(size_t a, size_t to, size_t *out)
{
    if (!ifn_add_size(a, to - 1, out))
        return false;
    *out &= ~(to - 1);
    return true;
}

#endif
