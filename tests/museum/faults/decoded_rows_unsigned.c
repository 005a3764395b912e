/*
 * The offset of a row of blocks is an unsigned int of bytes.
 */
#include "museum_kit.h"

ifn_status museum_decoded_rows_unsigned(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    ifn_status status = ifn_dequantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const museum_row row = museum_row_of(a->dtype, a->cols);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++) {
        const int64_t lost = museum_lost(MUSEUM_UNSIGNED_BYTES, &row, r);
        ifn_dequantize_rows_args one = *a;
        one.x = (const unsigned char *)a->x + lost;
        one.part_begin = r;
        one.part_end = r + 1;
        status = lost ? ifn_dequantize_rows(self->base, &one) : IFN_OK;
    }
    return status;
}
