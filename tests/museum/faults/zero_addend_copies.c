/* Plus 0 is done by copying: -0 + 0 is +0. */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_zero_addend_copies(ifn_backend *self, const ifn_add_scalar_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const ifn_status status = ifn_add_scalar(self->base, a);
    if (status == IFN_OK && a->value == 0 && part.end > part.begin && a->out != a->x)
        memcpy(a->out + part.begin, a->x + part.begin,
               (size_t)(part.end - part.begin) * sizeof *a->out);
    return status;
}
