/*
 * The address of x is kept in one variable for all calls. Calls that follow one another are right; calls at the same
 * time are not.
 */
#include <sched.h>

#include "museum_kit.h"

static const float *volatile x;

ifn_status museum_input_of_the_last_call(ifn_backend *self, const ifn_silu_args *a)
{
    ifn_silu_args one = *a;
    x = a->x;
    sched_yield(); /* another thread, if there is one, gets its turn */
    one.x = x;
    return ifn_silu(self->base, &one);
}
