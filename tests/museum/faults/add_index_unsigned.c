/*
 * The index of an element is an unsigned int: after 2^32 of them it begins anew.
 */
#include "museum_kit.h"

ifn_status museum_add_index_unsigned(ifn_backend *self, const ifn_add_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (part.end <= UINT32_MAX || part.end > a->n)
        return ifn_add(self->base, a);
    for (int64_t i = part.begin; i < part.end; i++)
        a->out[(uint32_t)i] = a->x[(uint32_t)i] + a->y[(uint32_t)i];
    return IFN_OK;
}
