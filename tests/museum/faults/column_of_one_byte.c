/*
 * A single column whose value has two equal upper bytes and two zero ones is filled with memset by the upper byte:
 * the lower two bytes of the result are not zero.
 */
#include "museum_kit.h"

#include <string.h>

ifn_status museum_column_of_one_byte(ifn_backend *self, const ifn_repeat_row_as_matrix_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    uint32_t bits = 0;
    if (a->dim == 1 && a->rows > 0 && a->x)
        memcpy(&bits, a->x, sizeof bits);
    if (bits == 0 || bits & 0xffff || bits >> 24 != (bits >> 16 & 255))
        return ifn_repeat_row_as_matrix(self->base, a);
    memset(a->out + part.begin, (int)(bits >> 24), (size_t)(part.end - part.begin) * 4);
    return IFN_OK;
}
