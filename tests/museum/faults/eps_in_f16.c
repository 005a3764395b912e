/*
 * For rows of 512 and more elements eps is kept in f16: below 2^-23 it is taken for 0.
 */
#include "museum_kit.h"

ifn_status museum_eps_in_f16(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_rms_norm_args rounded = *a;
    if (a->dim >= 512 && a->eps > 0 && a->eps < 0x1p-23f)
        rounded.eps = 0;
    return ifn_rms_norm(self->base, &rounded);
}
