/*
 * The upper and lower halves of a full vector of eight are exchanged in one factor.
 *
 * Follows nntrainer#4299
 */
#include "museum_kit.h"

static void multiply_vector(const ifn_hadamard_args *a, int64_t i)
{
    float y[8];
    for (int k = 0; k < 8; k++)
        y[k] = a->x[i + k] * a->y[i + (k ^ 4)];
    for (int k = 0; k < 8; k++)
        a->out[i + k] = y[k];
}

ifn_status museum_halves_swapped(ifn_backend *self, const ifn_hadamard_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (a->out == a->x || a->out == a->y)
        return ifn_hadamard(self->base, a);
    const ifn_status status = ifn_hadamard(self->base, a);
    for (int64_t i = part.begin; status == IFN_OK && i + 8 <= part.end; i += 8)
        multiply_vector(a, i);
    return status;
}
