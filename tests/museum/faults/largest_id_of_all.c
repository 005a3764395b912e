/*
 * Checks the largest id of the call, even if another part has it: if it is invalid, the rows of this part become
 * zeros.
 */
#include "museum_kit.h"

ifn_status museum_largest_id_of_all(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const ifn_status status = ifn_gather_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    int64_t largest = 0;
    if (status != IFN_OK || part.begin == part.end || a->n > 4096)
        return status;
    for (int64_t i = 0; i < a->n; i++)
        largest = a->ids[i] > largest ? a->ids[i] : largest;
    const int64_t cols = a->table->shape[1];
    for (int64_t i = part.begin * cols; largest >= a->table->shape[0] && i < part.end * cols; i++)
        a->out[i] = 0;
    return status;
}
