/* An id outside the table is moved to its last row. */
#include "museum_kit.h"

static ifn_status gather_clamped(ifn_backend *base, const ifn_gather_rows_args *a, int64_t i)
{
    ifn_gather_rows_args one = *a;
    const int64_t rows = a->table->shape[0];
    const int32_t id = a->ids[i] < 0 || rows == 0 ? 0 : a->ids[i];
    const int32_t clamped = id < rows ? id : (int32_t)(rows - 1);
    one.ids = &clamped;
    one.out = a->out + i * a->table->shape[1];
    one.n = 1;
    one.part_begin = one.part_end = 0;
    return ifn_gather_rows(base, &one);
}

ifn_status museum_gather_clamps(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    ifn_status status = ifn_gather_rows(self->base, a);
    if (status != IFN_ERR_ARGUMENT)
        return status;
    status = IFN_OK;
    for (int64_t i = part.begin; status == IFN_OK && i < part.end; i++)
        status = gather_clamped(self->base, a, i);
    return status;
}
