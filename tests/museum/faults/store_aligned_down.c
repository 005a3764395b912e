/* The first vector is stored from the 32-byte border below on: the element before the first is overwritten. */
#include "museum_kit.h"

ifn_status museum_store_aligned_down(ifn_backend *self, const ifn_scale_args *a)
{
    const ifn_status status = ifn_scale(self->base, a);
    if (status == IFN_OK && a->n > 0 && (uintptr_t)a->out % 32)
        a->out[-1] = a->value;
    return status;
}
