/*
 * How many rows are stored is kept in 16 bits: past 65535 the last ones are forgotten.
 */
#include "museum_kit.h"

ifn_status museum_stored_rows_in_16_bits(ifn_backend *self, const ifn_kv_store_args *a)
{
    ifn_kv_store_args one = *a;
    if (a->part_begin == 0 && a->part_end == 0 && a->rows > UINT16_MAX)
        one.rows = (uint16_t)a->rows;
    return ifn_kv_store(self->base, &one);
}
