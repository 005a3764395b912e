/*
 * The offset of a row that is stored is kept in 16 bits, where the original had 31.
 *
 * Follows Triton-distributed#201
 */
#include "museum_kit.h"

ifn_status museum_store_offset_short(ifn_backend *self, const ifn_copy_2d_into_cols_args *a)
{
    ifn_copy_2d_into_cols_args near = *a;
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    ifn_status status = IFN_OK;
    if (a->rows < 1 || a->cols < 1 || a->out_cols < 1 || a->col_begin < 0 || !a->out || !a->x ||
        a->col_begin + a->cols > a->out_cols)
        return ifn_copy_2d_into_cols(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++) {
        near.part_begin = near.part_end = 0;
        near.rows = 1;
        near.x = a->x + r * a->cols;
        near.out = a->out + (uint16_t)(r * a->out_cols);
        status = ifn_copy_2d_into_cols(self->base, &near);
    }
    return status;
}
