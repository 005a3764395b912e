/*
 * eps is kept in one variable for all calls. Calls that follow one another are right; calls at the same time are not.
 */
#include <sched.h>

#include "museum_kit.h"

static volatile float eps;

ifn_status museum_eps_of_the_last_call(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_rms_norm_args one = *a;
    eps = a->eps;
    sched_yield(); /* another thread, if there is one, gets its turn */
    one.eps = eps;
    return ifn_rms_norm(self->base, &one);
}
