/*
 * Pages of a shape that fills them on neither side, 65 x 97, are counted wrong.
 *
 * Follows tt-metal#44726
 */
#include "museum_kit.h"

ifn_status museum_transpose_odd_page(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    const ifn_status status = ifn_transpose_2d(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->cols);
    const int is_odd = a->rows > 32 && a->cols > 32 && a->rows % 32 == 1 && a->cols % 32 == 1;
    if (status != IFN_OK || !is_odd || part.end != a->cols)
        return status;
    for (int64_t r = 0; r < a->rows; r++)
        a->out[(a->cols - 1) * a->rows + r] = a->x[r * a->cols + a->cols - 2];
    return status;
}
