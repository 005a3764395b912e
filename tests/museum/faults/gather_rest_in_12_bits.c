/*
 * The number of remaining rows is narrowed before it is clamped to a tile: if more than 2048 rows remain (32768 in
 * the original), the number is negative for the first tiles, which stay zero.
 *
 * Follows mlx#3922
 */
#include "museum_kit.h"

ifn_status museum_gather_rest_in_12_bits(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const ifn_status status = ifn_gather_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const int64_t cols = status == IFN_OK ? a->table->shape[1] : 0;
    for (int64_t r = part.begin; status == IFN_OK && a->n % 64 && r < part.end; r++)
        for (int64_t c = 0; (a->n - r / 64 * 64) % 4096 >= 2048 && c < cols; c++)
            a->out[r * cols + c] = 0;
    return status;
}
