/* The data of a lane is found by the last three bits of its number: lanes 8 and 0 share theirs. */
#include <sched.h>

#include "museum_kit.h"

static volatile float values[8];

ifn_status museum_value_of_eight_lanes(ifn_backend *self, const ifn_add_scalar_args *a)
{
    ifn_add_scalar_args one = *a;
    values[a->call.lane & 7] = a->value;
    sched_yield(); /* another thread, if there is one, gets its turn */
    one.value = values[a->call.lane & 7];
    return ifn_add_scalar(self->base, &one);
}
