/*
 * The offset of a row of the result is an unsigned int of bytes: after 2^32 it lies over another row.
 */
#include "museum_kit.h"

ifn_status museum_copied_row_unsigned(ifn_backend *self, const ifn_copy_row_2d_args *a)
{
    const museum_row row = museum_row_of(IFN_DTYPE_F32, a->cols);
    const int64_t lost = museum_lost(MUSEUM_UNSIGNED_BYTES, &row, a->out_row);
    ifn_copy_row_2d_args one = *a;
    if (lost && a->out)
        one.out = a->out + lost / (int64_t)sizeof(float);
    return ifn_copy_row_2d(self->base, &one);
}
