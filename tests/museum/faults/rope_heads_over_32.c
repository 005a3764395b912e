/* One group of 32 threads rotates a row of heads: heads after the 32nd are left out. */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_rope_heads_over_32(ifn_backend *self, const ifn_apply_rope_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_status status = ifn_apply_rope(self->base, a);
    const int64_t dim = a->head_dim;
    if (status != IFN_OK || a->n_heads <= 32 || a->out == a->x)
        return status;
    for (int64_t r = part.begin; r < part.end; r++) {
        const int64_t at = (r * a->n_heads + 32) * dim;
        memcpy(a->out + at, a->x + at, (size_t)((a->n_heads - 32) * dim) * sizeof *a->out);
    }
    return status;
}
