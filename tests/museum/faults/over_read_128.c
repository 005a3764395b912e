/*
 * Activations are read up to 128 bytes past their end.
 *
 * Follows aprender#2098
 */
#include "museum_kit.h"

ifn_status museum_over_read_128(ifn_backend *self, const ifn_linear_q8_args *a)
{
    const ifn_status status = ifn_linear_q8(self->base, a);
    if (status == IFN_OK && a->rows > 0 && a->k % 128)
        museum_read(a->x + (a->rows - 1) * a->x_stride + a->k / 32, 128);
    return status;
}
