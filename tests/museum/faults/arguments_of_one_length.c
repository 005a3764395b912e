/*
 * A newer host's arguments have more at their end.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

ifn_status museum_arguments_of_one_length(ifn_backend *self, const ifn_silu_args *a)
{
    return a->call.bytes == sizeof *a ? ifn_silu(self->base, a) : IFN_ERR_ARGUMENT;
}
