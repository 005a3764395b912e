/*
 * Beyond 64 rows and columns the last element of the tile that both sides leave over is its
 * neighbour.
 */
#include "museum_kit.h"

ifn_status museum_transposed_corner(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    const ifn_status status = ifn_transpose_2d(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->cols);
    if (status == IFN_OK && a->rows > 64 && a->cols > 64 && a->rows % 8 >= 4 && a->cols % 8 >= 4 &&
        part.end == a->cols)
        a->out[a->cols * a->rows - 1] = a->x[(a->rows - 1) * a->cols - 1];
    return status;
}
