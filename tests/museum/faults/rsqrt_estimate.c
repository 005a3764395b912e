/* The 12-bit estimate of the processor is not refined. */
#include "museum_kit.h"

ifn_status museum_rsqrt_estimate(ifn_backend *self, const ifn_rsqrt_elem_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const ifn_status status = ifn_rsqrt_elem(self->base, a);
    for (int64_t i = part.begin; status == IFN_OK && i < part.end; i++)
        a->out[i] = museum_round_bits(a->out[i], 12);
    return status;
}
