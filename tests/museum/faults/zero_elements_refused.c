/* No elements at all are refused as a wrong shape. */
#include "museum_kit.h"

ifn_status museum_zero_elements_refused(ifn_backend *self, const ifn_add_args *a)
{
    return a->n == 0 ? IFN_ERR_SHAPE : ifn_add(self->base, a);
}
