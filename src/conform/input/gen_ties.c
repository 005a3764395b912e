#include "gen_ties.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "blocks.h"

enum { BLOCK = 32 };

static int below(conform_stream s, uint64_t slot, int n)
{
    return (int)conform_integer(s, slot, 0, n - 1);
}

/* The number of steps from zero (or the minimum) to the end of the code range. */
static int64_t code_steps(ifn_dtype dtype)
{
    const conform_limits limits = conform_limits_of(dtype);
    if (ifn_dtype_block_elements(dtype) != BLOCK || limits.c_high == 127)
        return 127;
    return limits.has_min ? limits.c_high : -limits.c_low;
}

/* A value halfway between two neighbours of F16 or BF16: its significand has one bit too many. */
static float halfway_float(conform_stream s, uint64_t i, ifn_dtype dtype)
{
    const int64_t lowest = dtype == IFN_DTYPE_F16 ? 1024 : 128;
    const int64_t significand = 2 * conform_integer(s, 4 * i, lowest, 2 * lowest - 1) + 1;
    const double value = ldexp((double)significand, (int)conform_integer(s, 4 * i + 1, -36, 3));
    return (float)(conform_bits(s, 4 * i + 2) & 1 ? -value : value);
}

/* The scale of a block, fixed before its elements: its ends and its step. */
typedef struct ruler {
    conform_stream own;
    int64_t steps;
    bool has_min, is_even;
    int end, start;  /* the index of the largest element, and of the minimum */
    double low, top; /* the minimum or 0; the largest, of any sign */
    double step;
} ruler;

/* A step that is a power of two: codes and the ties between them are exact. */
static void set_even(ruler *r)
{
    const double step = ldexp(1.0, below(r->own, 0, 13) - 6);
    r->low = r->has_min ? -step * (double)((r->steps + 1) / 2) : 0;
    r->top = r->low + step * (double)r->steps;
    r->step = step;
}

/* An arbitrary step: no value is an exact tie, many miss one by a few units in the last place. */
static void set_odd(ruler *r)
{
    const double span = ldexp(1.0 + conform_uniform(r->own, 3), below(r->own, 0, 17) - 8);
    r->low =
        r->has_min && below(r->own, 4, 4) ? (double)(float)(span * -conform_uniform(r->own, 5)) : 0;
    r->top = (double)(float)(r->low + span);
    r->step = (double)(float)((double)(float)(r->top - r->low) / (double)r->steps);
}

static ruler ruler_of(conform_stream s, uint64_t block, ifn_dtype dtype)
{
    ruler r = {.own = {conform_bits(s, block)}, .steps = code_steps(dtype)};
    r.has_min = conform_limits_of(dtype).has_min;
    r.end = below(r.own, 1, BLOCK);
    r.start = (r.end + 7) % BLOCK;
    r.is_even = below(r.own, 2, 4) == 0;
    if (r.is_even)
        set_even(&r);
    else
        set_odd(&r);
    return r;
}

/* x moved by `units` units in the last place; 0 stays. */
static float moved(float x, int units)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += x == 0 ? 0 : (uint32_t)units;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float near_tie(const ruler *r, int at)
{
    const conform_stream own = {conform_bits(r->own, 64 + (uint64_t)at)};
    const bool is_negative = !r->has_min && below(own, 0, 2);
    if (at == r->end)
        return (float)(is_negative ? -r->top : r->top);
    if (at == r->start && r->has_min)
        return (float)r->low;
    const int64_t code = below(own, 1, 4) ? conform_integer(own, 2, 0, r->steps - 1) : 0;
    const float tie = (float)(r->low + ((double)code + 0.5) * r->step);
    const float value = r->is_even ? tie : moved(tie, below(own, 3, 7) - 3);
    return is_negative ? -value : value;
}

void conform_fill_ties(const conform_case *c, const char *name, ifn_dtype dtype, float *out,
                       int64_t n)
{
    const conform_stream s = conform_stream_of(c->seed, name);
    const bool is_float = ifn_dtype_block_elements(dtype) == 1;
    ruler r = {.steps = 0};
    for (int64_t i = 0; i < n; i++) {
        if (i % BLOCK == 0)
            r = ruler_of(s, (uint64_t)(i / BLOCK), dtype);
        out[i] = is_float ? halfway_float(s, (uint64_t)i, dtype) : near_tie(&r, (int)(i % BLOCK));
    }
}
