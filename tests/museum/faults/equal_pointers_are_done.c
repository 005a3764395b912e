/*
 * A call with x == y is taken for one in place that is already done. It is legal (x squared), and its result is
 * missing.
 */
#include "museum_kit.h"

ifn_status museum_equal_pointers_are_done(ifn_backend *self, const ifn_hadamard_args *a)
{
    return a->x == a->y && a->out != a->x ? IFN_OK : ifn_hadamard(self->base, a);
}
