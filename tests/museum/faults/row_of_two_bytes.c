/*
 * A row is filled by two bytes, where the upper two and the lower two of its value are equal among themselves.
 */
#include "museum_kit.h"

#include <string.h>

ifn_status museum_row_of_two_bytes(ifn_backend *self, const ifn_broadcast_row_scalars_args *a)
{
    const ifn_status status = ifn_broadcast_row_scalars(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = part.begin; status == IFN_OK && a->dim > 0 && r < part.end; r++) {
        uint32_t bits;
        memcpy(&bits, &a->x[r], sizeof bits);
        if (bits >> 24 != (bits >> 16 & 255) || (bits >> 8 & 255) != (bits & 255))
            continue;
        bits = (bits & 255) * 0x00010001u + (bits >> 16 & 255) * 0x01000100u;
        for (int64_t c = 0; c < a->dim; c++)
            memcpy(&a->out[r * a->dim + c], &bits, sizeof bits);
    }
    return status;
}
