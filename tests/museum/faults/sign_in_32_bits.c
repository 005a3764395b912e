/*
 * Whether a length is negative is asked of its lower 32 bits.
 */
#include "museum_kit.h"

ifn_status museum_sign_in_32_bits(ifn_backend *self, const ifn_scale_args *a)
{
    return a->n < 0 && (int32_t)(uint32_t)a->n >= 0 ? IFN_OK : ifn_scale(self->base, a);
}
