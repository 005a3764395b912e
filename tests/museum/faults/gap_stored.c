/*
 * Rows of the output are stored up to a multiple of four, gap or not.
 *
 * Follows llama.cpp#19575
 */
#include "museum_kit.h"

ifn_status museum_gap_stored(ifn_backend *self, const ifn_linear_args *a)
{
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    const ifn_status status = ifn_linear(self->base, a);
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; i++) {
        const int64_t n = a->w[i]->shape[0];
        for (int64_t r = rows.begin; r < rows.end && r + 1 < a->rows; r++)
            for (int64_t f = n; f % 4 && f < a->out_stride[i]; f++)
                a->out[i][r * a->out_stride[i] + f] = 0.0f;
    }
    return status;
}
