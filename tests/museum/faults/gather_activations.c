/* A table of activations, which no file holds, is read as if it were one of weights. */
#include "museum_kit.h"

static void read_rows(const ifn_gather_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const ifn_block_q8_32f *blocks = a->table->data;
    const int64_t cols = a->table->shape[1];
    for (int64_t i = part.begin; i < part.end; i++)
        for (int64_t j = 0; j < cols; j++) {
            const ifn_block_q8_32f *b = &blocks[a->ids[i] * (cols / 32) + j / 32];
            a->out[i * cols + j] = b->d * (float)b->qs[j % 32];
        }
}

ifn_status museum_gather_activations(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const ifn_status status = ifn_gather_rows(self->base, a);
    if (status == IFN_OK || !a->table || a->table->dtype != IFN_DTYPE_Q8_32F || !a->ids || !a->out)
        return status;
    read_rows(a);
    return IFN_OK;
}
