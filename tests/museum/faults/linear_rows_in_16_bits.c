/*
 * How many rows there are is kept in 16 bits: past 65535 the last ones are forgotten.
 */
#include "museum_kit.h"

ifn_status museum_linear_rows_in_16_bits(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args one = *a;
    if (a->part2_begin == 0 && a->part2_end == 0 && a->rows > UINT16_MAX)
        one.rows = (uint16_t)a->rows;
    return ifn_linear(self->base, &one);
}
