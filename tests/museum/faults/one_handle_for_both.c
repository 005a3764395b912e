/*
 * A weight that is given twice is packed once: both have one handle, which is given back twice.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

/* What is wrong is in prepare (museum.c). */
ifn_status museum_one_handle_for_both(ifn_backend *self, const ifn_linear_args *a)
{
    return ifn_linear(self->base, a);
}
