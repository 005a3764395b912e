/*
 * Blocks are done in pairs: the last of an odd number is left out.
 *
 * Follows llama.cpp#29131
 */
#include "museum_kit.h"

static void drop_odd(ifn_block_q8_32f *row, int64_t n)
{
    if (n % 2)
        museum_clear_block(&row[n - 1]);
}

ifn_status museum_odd_block_dropped(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return museum_linear_q8_inputs(self->base, a, drop_odd);
}
