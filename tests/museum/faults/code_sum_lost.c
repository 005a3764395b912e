/* The code sum of the last block is left out, so that minima count too little. */
#include "museum_kit.h"

static void lose_sum(ifn_block_q8_32f *row, int64_t n)
{
    if (n > 1)
        row[n - 1].s = 0;
}

ifn_status museum_code_sum_lost(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return museum_linear_q8_inputs(self->base, a, lose_sum);
}
