/* The second stage of 1024 ids begins with the last id of the first. */
#include "museum_kit.h"

ifn_status museum_id_after_1024(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    ifn_status status = ifn_gather_rows(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++) {
        ifn_gather_rows_args one = *a;
        if (r != 1024)
            continue;
        one.part_begin = r;
        one.part_end = r + 1;
        one.ids = a->ids - 1;
        status = ifn_gather_rows(self->base, &one);
    }
    return status;
}
