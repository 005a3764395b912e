/* The offset is taken for bytes, not for elements. */
#include "museum_kit.h"

ifn_status museum_offset_in_bytes(ifn_backend *self, const ifn_copy_contiguous_into_args *a)
{
    ifn_copy_contiguous_into_args bytes = *a;
    if (a->n < 0 || a->out_offset < 0 || a->out_offset > a->out_n - a->n)
        return ifn_copy_contiguous_into(self->base, a);
    bytes.out_offset = a->out_offset / 4;
    return ifn_copy_contiguous_into(self->base, &bytes);
}
