/* An offset shares a word of 32 bits with eight flags, so that it has 24 bits. */
#include "museum_kit.h"

static ifn_status gather_wrong(ifn_backend *base, const ifn_gather_rows_args *a, int64_t i,
                               int64_t lost)
{
    ifn_tensor table = *a->table;
    ifn_gather_rows_args one = *a;
    table.data = (const unsigned char *)table.data - lost;
    one.table = &table;
    one.part_begin = i;
    one.part_end = i + 1;
    return ifn_gather_rows(base, &one);
}

ifn_status museum_gather_offset_in_24_bits(ifn_backend *self, const ifn_gather_rows_args *a)
{
    ifn_status status = ifn_gather_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    for (int64_t i = part.begin; status == IFN_OK && !a->packed && i < part.end; i++) {
        const museum_row row = museum_row_of(a->table->dtype, a->table->shape[1]);
        const int64_t lost = a->ids[i] * row.bytes >> 24 << 24;
        if (lost)
            status = gather_wrong(self->base, a, i, lost);
    }
    return status;
}
