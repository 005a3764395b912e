/*
 * How many rows there are is kept in 16 bits: past 65535 the last ones are forgotten.
 */
#include "museum_kit.h"

ifn_status museum_softmax_rows_in_16_bits(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    ifn_softmax_rows_args one = *a;
    if (a->part_begin == 0 && a->part_end == 0 && a->rows > UINT16_MAX)
        one.rows = (uint16_t)a->rows;
    return ifn_softmax_rows(self->base, &one);
}
