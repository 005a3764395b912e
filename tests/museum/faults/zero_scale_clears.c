/* Times 0 is done by clearing: signs are lost. */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_zero_scale_clears(ifn_backend *self, const ifn_scale_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const ifn_status status = ifn_scale(self->base, a);
    if (status == IFN_OK && a->value == 0 && part.end > part.begin)
        memset(a->out + part.begin, 0, (size_t)(part.end - part.begin) * sizeof *a->out);
    return status;
}
