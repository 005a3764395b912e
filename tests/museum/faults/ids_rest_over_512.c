/* If there are more than 512 ids, those after the last group of eight are read from the beginning. */
#include "museum_kit.h"

ifn_status museum_ids_rest_over_512(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    ifn_status status = ifn_gather_rows(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++) {
        ifn_gather_rows_args one = *a;
        if (a->n <= 512 || r < a->n / 8 * 8)
            continue;
        one.part_begin = r;
        one.part_end = r + 1;
        one.ids = a->ids - r;
        status = ifn_gather_rows(self->base, &one);
    }
    return status;
}
