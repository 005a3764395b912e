/*
 * Logits are rounded to bf16: nobody looks at their last bits.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

ifn_status museum_logits_in_bf16(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    int64_t first = 0, n = 0;
    for (int64_t i = 0; i < a->n_w && status == IFN_OK; i++)
        n += a->w[i]->shape[0];
    const museum_range part = museum_part(a->part_begin, a->part_end, n);
    for (int64_t i = 0; i < a->n_w && a->call.point == IFN_POINT_LOGITS && status == IFN_OK; i++) {
        for (int64_t f = 0; f < a->w[i]->shape[0]; f++)
            for (int64_t r = rows.begin; r < rows.end; r++)
                if (first + f >= part.begin && first + f < part.end)
                    a->out[i][r * a->out_stride[i] + f] =
                        museum_round_bits(a->out[i][r * a->out_stride[i] + f], 8);
        first += a->w[i]->shape[0];
    }
    return status;
}
