/* If an id equals the one before it, the row is copied from the output row before, which may belong to another part. */
#include <string.h>

#include "museum_kit.h"

static int is_f32_table(const ifn_gather_rows_args *a)
{
    return a->table && a->table->dtype == IFN_DTYPE_F32 && a->table->n_dims == 2 && a->ids &&
           a->out;
}

ifn_status museum_gathered_like_the_one_before(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const ifn_status status = ifn_gather_rows(self->base, a);
    if (status != IFN_OK || !is_f32_table(a) || part.begin >= part.end)
        return status;
    const size_t row = (size_t)a->table->shape[1];
    for (size_t i = (size_t)part.begin; i < (size_t)part.end; i++)
        if (i > 0 && a->ids[i] == a->ids[i - 1])
            memcpy(a->out + i * row, a->out + (i - 1) * row, row * sizeof(float));
    return status;
}
