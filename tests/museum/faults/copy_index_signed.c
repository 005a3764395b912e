/*
 * A signed index overflows, and the bounds mask made from it leaves the element out.
 *
 * Follows triton#944
 */
#include "museum_kit.h"

ifn_status museum_copy_index_signed(ifn_backend *self, const ifn_copy_contiguous_into_args *a)
{
    ifn_copy_contiguous_into_args piece = *a;
    ifn_status status = IFN_OK;
    if (a->n <= 0x8000 || a->part_end != 0)
        return ifn_copy_contiguous_into(self->base, a);
    for (int64_t i = 0; status == IFN_OK && i < a->n; i += 0x10000) {
        piece.part_begin = i;
        piece.part_end = i + 0x8000 < a->n ? i + 0x8000 : a->n;
        status = ifn_copy_contiguous_into(self->base, &piece);
    }
    return status;
}
