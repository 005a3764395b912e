/*
 * A long sum is streamed from the first aligned element on, but the start of the rest is counted from the first
 * element of all: some elements in between are not written.
 */
#include "museum_kit.h"

ifn_status museum_streamed_rest(ifn_backend *self, const ifn_add_args *a)
{
    enum { LONG = 1 << 17, LANES = 16 };
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const int64_t n = part.end - part.begin;
    if (a->n < 0 || n < LONG)
        return ifn_add(self->base, a);
    float *const out = a->out + part.begin;
    const float *const x = a->x + part.begin, *const y = a->y + part.begin;
    const int64_t first = (int64_t)(-(uintptr_t)out / sizeof *out % LANES);
    const int64_t whole = first + (n - first) / LANES * LANES;
    for (int64_t i = 0; i < n; i++)
        if (i < whole || i >= n / LANES * LANES)
            out[i] = x[i] + y[i];
    return IFN_OK;
}
