/*
 * The code sum that minima are multiplied by covers only the first 16 codes of a block; the other half is summed and
 * dropped.
 *
 * Follows aprender#3105
 */
#include "museum_kit.h"

static void halve_sums(ifn_block_q8_32f *row, int64_t n)
{
    for (int64_t b = 0; b < n; b++)
        for (int i = 16; i < 32; i++)
            row[b].s -= row[b].qs[i];
}

ifn_status museum_half_of_a_code_sum(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return museum_linear_q8_inputs(self->base, a, halve_sums);
}
