/*
 * The offset of a mask's border is kept in a signed 32-bit integer.
 */
#include "museum_kit.h"

ifn_status museum_offset_in_31_bits(ifn_backend *self, const ifn_fill_strict_upper_tri_args *a)
{
    ifn_fill_strict_upper_tri_args short_of = *a;
    short_of.offset = a->rows < 1 << 20 ? (int32_t)(uint32_t)a->offset : a->offset;
    return ifn_fill_strict_upper_tri(self->base, &short_of);
}
