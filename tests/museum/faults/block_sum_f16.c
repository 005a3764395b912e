/*
 * The sum of a block times its scale is kept in f16 and overflows.
 *
 * Follows llama.cpp#21652
 */
#include <math.h>

#include "museum_kit.h"

static void overflow(ifn_block_q8_32f *row, int64_t n)
{
    for (int64_t b = 0; b < n; b++)
        if (fabsf(row[b].d * (float)row[b].s) > 65504.0f)
            row[b].d = INFINITY;
}

ifn_status museum_block_sum_f16(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return museum_linear_q8_inputs(self->base, a, overflow);
}
