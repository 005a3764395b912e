/* Ids are staged in a buffer of 512, which later ids read from its beginning again. */
#include "museum_kit.h"

ifn_status museum_ids_over_512(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    ifn_status status = ifn_gather_rows(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++) {
        ifn_gather_rows_args one = *a;
        if (r < 512)
            continue;
        one.part_begin = r;
        one.part_end = r + 1;
        one.ids = a->ids - 512;
        status = ifn_gather_rows(self->base, &one);
    }
    return status;
}
