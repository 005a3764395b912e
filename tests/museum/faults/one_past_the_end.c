/* One element more is written than there is. */
#include "museum_kit.h"

ifn_status museum_one_past_the_end(ifn_backend *self, const ifn_add_args *a)
{
    const ifn_status status = ifn_add(self->base, a);
    if (status == IFN_OK && a->n > 0)
        a->out[a->n] = 0.0f;
    return status;
}
