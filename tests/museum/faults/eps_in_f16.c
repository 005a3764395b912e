/*
 * eps is kept in few bits for rows of 512 and more: below 2^-23 there is none.
 */
#include "museum_kit.h"

ifn_status museum_eps_in_f16(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_rms_norm_args rounded = *a;
    if (a->dim >= 512 && a->eps > 0 && a->eps < 0x1p-23f)
        rounded.eps = 0;
    return ifn_rms_norm(self->base, &rounded);
}
