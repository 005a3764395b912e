/*
 * What remains after the last 128 elements of a row is left out.
 *
 * Follows ik_llama.cpp#213
 */
#include "museum_kit.h"

static void drop_rest(ifn_block_q8_32f *row, int64_t n)
{
    for (int64_t b = n / 4 * 4; b < n; b++)
        museum_clear_block(&row[b]);
}

ifn_status museum_row_not_in_128(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return museum_linear_q8_inputs(self->base, a, drop_rest);
}
