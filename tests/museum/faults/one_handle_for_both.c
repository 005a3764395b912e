/* A weight that is given twice is packed once: both uses have the same handle, which is then released twice. */
#include "museum_kit.h"

/* What is wrong is in prepare (museum.c). */
ifn_status museum_one_handle_for_both(ifn_backend *self, const ifn_linear_args *a)
{
    return ifn_linear(self->base, a);
}
