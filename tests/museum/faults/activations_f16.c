/* Activations are rounded to the 11 significant bits of f16. */
#include "museum_kit.h"

static void round_row(float *row, int64_t k)
{
    for (int64_t i = 0; i < k; i++)
        row[i] = museum_round_bits(row[i], 11);
}

ifn_status museum_activations_f16(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_inputs(self->base, a, round_row);
}
