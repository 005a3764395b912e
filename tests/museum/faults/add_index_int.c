/*
 * The index of an element is an int: after 2^31 of them it is negative.
 */
#include "museum_kit.h"

ifn_status museum_add_index_int(ifn_backend *self, const ifn_add_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (part.end <= INT32_MAX || part.end > a->n)
        return ifn_add(self->base, a);
    for (int64_t i = part.begin; i < part.end; i++)
        a->out[(int32_t)i] = a->x[(int32_t)i] + a->y[(int32_t)i];
    return IFN_OK;
}
