/*
 * From 65 blocks on, blocks are done in pairs; if their number is odd, the last row lacks its last block.
 */
#include "museum_kit.h"

static void without_last(const ifn_linear_q8_args *a, int64_t row, ifn_block_q8_32f *x)
{
    for (int64_t i = 0; i < a->k / 32; i++)
        x[i] = a->x[row * a->x_stride + i];
    museum_clear_block(&x[a->k / 32 - 1]);
}

ifn_status museum_odd_block_of_many(ifn_backend *self, const ifn_linear_q8_args *a)
{
    enum { MOST = 2048 };
    ifn_block_q8_32f x[MOST];
    ifn_status status = ifn_linear_q8(self->base, a);
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    const int64_t n = a->k / 32, last = a->rows - 1;
    if (status != IFN_OK || n <= 64 || n > MOST || n % 2 == 0 || a->w[0]->dtype != IFN_DTYPE_Q8_0 ||
        last < rows.begin || last >= rows.end)
        return status;
    ifn_linear_q8_args one = *a;
    without_last(a, last, x);
    one.x = x;
    one.rows = 1;
    one.part2_begin = one.part2_end = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        one.out[i] = a->out[i] + last * a->out_stride[i];
    return ifn_linear_q8(self->base, &one);
}
