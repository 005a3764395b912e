/* In row 383, the last of a tile, the first column beyond the diagonal is left as it was. */
#include "museum_kit.h"

enum { LAST = 383 };

ifn_status museum_triangle_row_383(ifn_backend *self, const ifn_fill_strict_upper_tri_args *a)
{
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->rows);
    const int64_t col = LAST + 1 + a->offset;
    if (LAST < rows.begin || LAST >= rows.end || col < 0 || col >= a->cols || !a->x)
        return ifn_fill_strict_upper_tri(self->base, a);
    float *const at = &a->x[LAST * a->cols + col], kept = *at;
    const ifn_status status = ifn_fill_strict_upper_tri(self->base, a);
    if (status == IFN_OK)
        *at = kept;
    return status;
}
