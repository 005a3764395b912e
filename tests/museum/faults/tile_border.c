/* In the last tile of eight columns rows and columns are not exchanged. */
#include "museum_kit.h"

ifn_status museum_tile_border(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    const ifn_status status = ifn_transpose_2d(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->cols);
    const int64_t first = a->cols / 8 * 8;
    if (status != IFN_OK || first == a->cols || first == 0)
        return status;
    for (int64_t c = first > part.begin ? first : part.begin; c < part.end; c++)
        for (int64_t r = 0; r < a->rows; r++)
            a->out[c * a->rows + r] = a->x[c * a->rows + r];
    return status;
}
