/*
 * The product of id and columns is an int, which overflows for a table of 2^31 elements.
 *
 * Follows mlx#1051
 */
#include "museum_kit.h"

static ifn_status gather_wrong(ifn_backend *base, const ifn_gather_rows_args *a, int64_t i,
                               int64_t lost)
{
    ifn_tensor table = *a->table;
    ifn_gather_rows_args one = *a;
    table.data = (const unsigned char *)table.data + lost;
    one.table = &table;
    one.part_begin = i;
    one.part_end = i + 1;
    return ifn_gather_rows(base, &one);
}

ifn_status museum_gather_elements_int(ifn_backend *self, const ifn_gather_rows_args *a)
{
    ifn_status status = ifn_gather_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    for (int64_t i = part.begin; status == IFN_OK && !a->packed && i < part.end; i++) {
        const museum_row row = museum_row_of(a->table->dtype, a->table->shape[1]);
        const int64_t lost = museum_lost(MUSEUM_INT_ELEMENTS, &row, a->ids[i]);
        if (lost)
            status = gather_wrong(self->base, a, i, lost);
    }
    return status;
}
