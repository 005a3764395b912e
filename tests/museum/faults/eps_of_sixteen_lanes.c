/* The data of a lane is found by the last four bits of its number: lanes 16 and 0 share theirs. */
#include <sched.h>

#include "museum_kit.h"

static volatile float eps[16];

ifn_status museum_eps_of_sixteen_lanes(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_rms_norm_args one = *a;
    eps[a->call.lane % 16] = a->eps;
    sched_yield(); /* another thread, if there is one, gets its turn */
    one.eps = eps[a->call.lane % 16];
    return ifn_rms_norm(self->base, &one);
}
