/*
 * The distance to the last feature is kept in 16 bits: where the rows are no whole tile,
 * features more than 32767 before it stay zero.
 *
 * Follows mlx#3631
 */
#include "museum_kit.h"

static void clear_far(const ifn_linear_q8_args *a, int i, museum_range rows)
{
    for (int64_t r = rows.begin; r < rows.end; r++)
        for (int64_t f = 0; f < a->w[i]->shape[0] - 32767; f++)
            a->out[i][r * a->out_stride[i] + f] = 0.0f;
}

ifn_status museum_columns_in_16_bits(ifn_backend *self, const ifn_linear_q8_args *a)
{
    const ifn_status status = ifn_linear_q8(self->base, a);
    const int is_whole = a->part_begin == 0 && a->part_end == 0;
    for (int i = 0; status == IFN_OK && is_whole && a->rows % 32 != 0 && i < (int)a->n_w; i++)
        clear_far(a, i, museum_part(a->part2_begin, a->part2_end, a->rows));
    return status;
}
