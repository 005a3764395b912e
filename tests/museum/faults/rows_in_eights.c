/*
 * Features after the last eight stay zero.
 *
 * Follows ik_llama.cpp#911
 */
#include "museum_kit.h"

ifn_status museum_rows_in_eights(ifn_backend *self, const ifn_linear_q8_args *a)
{
    const ifn_status status = ifn_linear_q8(self->base, a);
    if (status != IFN_OK)
        return status;
    const museum_range part = museum_part(a->part_begin, a->part_end, museum_features(a));
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    int64_t first = 0;
    for (int64_t i = 0; i < a->n_w; first += a->w[i++]->shape[0])
        for (int64_t f = a->w[i]->shape[0] / 8 * 8; f < a->w[i]->shape[0]; f++)
            for (int64_t r = rows.begin; r < rows.end; r++)
                if (first + f >= part.begin && first + f < part.end)
                    a->out[i][r * a->out_stride[i] + f] = 0.0f;
    return status;
}
