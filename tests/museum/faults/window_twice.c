/*
 * Behind 2^31 bytes a window is stored where it belongs, and once more where an offset of 31 bits
 * points to: what stood there is lost.
 */
#include "museum_kit.h"

ifn_status museum_window_twice(ifn_backend *self, const ifn_copy_2d_into_cols_args *a)
{
    const ifn_status status = ifn_copy_2d_into_cols(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++) {
        const int64_t at = r * a->out_cols + a->col_begin, bytes = 4 * at;
        for (int64_t c = 0; bytes > INT32_MAX && c < a->cols; c++)
            a->out[(bytes & INT32_MAX) / 4 + c] = a->x[r * a->cols + c];
    }
    return status;
}
