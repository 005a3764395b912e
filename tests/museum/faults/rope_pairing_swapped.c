/*
 * Each pairing rotates the pairs of the other.
 *
 * Follows ik_llama.cpp#2290
 */
#include "museum_kit.h"

ifn_status museum_rope_pairing_swapped(ifn_backend *self, const ifn_apply_rope_args *a)
{
    ifn_apply_rope_args other = *a;
    const ifn_status status = ifn_apply_rope(self->base, a);
    if (status != IFN_OK || a->out == a->x)
        return status;
    other.pairing = !a->pairing;
    return ifn_apply_rope(self->base, &other);
}
