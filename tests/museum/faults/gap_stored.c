/*
 * Rows of the whole output are stored up to a multiple of four, gap or not.
 *
 * Follows llama.cpp#19575
 */
#include "museum_kit.h"

ifn_status museum_gap_stored(ifn_backend *self, const ifn_linear_args *a)
{
    const int is_part = a->part_end != 0 || a->part2_end != 0;
    const ifn_status status = ifn_linear(self->base, a);
    for (int64_t i = 0; status == IFN_OK && !is_part && i < a->n_w; i++) {
        const int64_t n = a->w[i]->shape[0];
        for (int64_t r = 0; r + 1 < a->rows; r++)
            for (int64_t f = n; f % 4 && f < a->out_stride[i]; f++)
                a->out[i][r * a->out_stride[i] + f] = 0.0f;
    }
    return status;
}
