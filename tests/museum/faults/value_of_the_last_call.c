/*
 * The factor is kept in one variable for all calls. Calls that follow one another are right; calls at the same time
 * are not.
 */
#include <sched.h>

#include "museum_kit.h"

static volatile float value;

ifn_status museum_value_of_the_last_call(ifn_backend *self, const ifn_scale_args *a)
{
    ifn_scale_args one = *a;
    value = a->value;
    sched_yield(); /* another thread, if there is one, gets its turn */
    one.value = value;
    return ifn_scale(self->base, &one);
}
