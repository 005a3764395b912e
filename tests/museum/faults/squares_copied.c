/* In a square of a power of two of rows, from 128 on, a tile of the diagonal is copied as it is. */
#include "museum_kit.h"

enum { TILE = 16, LEAST = 128 };

ifn_status museum_squares_copied(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    const ifn_status status = ifn_transpose_2d(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->cols);
    const int is_square = a->rows == a->cols && a->rows >= LEAST && (a->rows & (a->rows - 1)) == 0;
    for (int64_t i = part.begin; status == IFN_OK && is_square && i < part.end && i < TILE; i++)
        for (int64_t k = 0; k < TILE; k++)
            a->out[i * a->rows + k] = a->x[i * a->cols + k];
    return status;
}
