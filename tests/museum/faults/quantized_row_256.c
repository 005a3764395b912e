/* The row number is kept in 8 bits: row 256 and later ones are stored as the rows 256 before. */
#include "museum_kit.h"

ifn_status museum_quantized_row_256(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    ifn_status status = ifn_quantize_rows(self->base, a);
    for (int64_t r = part.begin > 256 ? part.begin : 256; status == IFN_OK && r < part.end; r++) {
        ifn_quantize_rows_args one = *a;
        one.part_begin = r;
        one.part_end = r + 1;
        one.x = a->x - 256 * a->cols;
        status = ifn_quantize_rows(self->base, &one);
    }
    return status;
}
