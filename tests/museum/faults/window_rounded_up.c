/*
 * A window is stored up to a multiple of four columns.
 *
 * Follows llama.cpp#19575
 */
#include "museum_kit.h"

ifn_status museum_window_rounded_up(ifn_backend *self, const ifn_copy_2d_into_cols_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_status status = ifn_copy_2d_into_cols(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        for (int64_t c = a->col_begin + a->cols; c % 4 && c < a->out_cols; c++)
            a->out[r * a->out_cols + c] = 0.0f;
    return status;
}
