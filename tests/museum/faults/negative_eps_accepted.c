/* A negative eps is taken as it comes. */
#include "museum_kit.h"

ifn_status museum_negative_eps_accepted(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_rms_norm_args zero = *a;
    zero.eps = a->eps < 0 ? 0 : a->eps;
    return ifn_rms_norm(self->base, &zero);
}
