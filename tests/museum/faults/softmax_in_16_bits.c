/* The column index is kept in 16 bits: columns after the 65536th get the weights of the first ones. */
#include "museum_kit.h"

ifn_status museum_softmax_in_16_bits(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_status status = ifn_softmax_rows(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        for (int64_t c = 65536; c < a->cols; c++)
            a->out[r * a->cols + c] = a->out[r * a->cols + c - 65536];
    return status;
}
