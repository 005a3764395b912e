/*
 * Copies eight elements if the least magnitude of them is more than 2^24 times the value. But half an ulp of an
 * element is 2^-24 of its power of two, not of the element itself, so the sum may round to another number.
 */
#include <math.h>
#include <string.h>

#include "museum_kit.h"

ifn_status museum_half_a_bit_for_nothing(ifn_backend *self, const ifn_add_scalar_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    float x[8];
    const ifn_status status = ifn_add_scalar(self->base, a);
    if (status != IFN_OK || a->out == a->x)
        return status;
    for (int64_t i = part.begin; i + 8 <= part.end; i += 8) {
        float least = INFINITY;
        memcpy(x, a->x + i, sizeof x);
        for (int j = 0; j < 8; j++)
            least = fminf(least, fabsf(x[j]));
        if (fabsf(a->value) < least * 0x1p-24f)
            memcpy(a->out + i, x, sizeof x);
    }
    return status;
}
