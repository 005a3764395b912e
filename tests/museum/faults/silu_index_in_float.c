/*
 * The index of an element within its part is a float: past 2^24 odd indices are rounded to others.
 */
#include "museum_kit.h"

ifn_status museum_silu_index_in_float(ifn_backend *self, const ifn_silu_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const ifn_status status = ifn_silu(self->base, a);
    for (int64_t i = 1 << 24; status == IFN_OK && i < part.end - part.begin; i++) {
        const int64_t other = museum_in_float(i);
        if (other != i)
            a->out[part.begin + i] = a->out[part.begin + other];
    }
    return status;
}
