/*
 * The offset of a row of x is an int of bytes, which overflows if rows are far apart.
 */
#include "museum_kit.h"

static int64_t lost_of(const ifn_linear_args *a, int64_t row)
{
    const museum_row stride = museum_row_of(IFN_DTYPE_F32, a->x_stride);
    return museum_lost(MUSEUM_INT_BYTES, &stride, row);
}

static ifn_status multiply_wrong(ifn_backend *base, const ifn_linear_args *a, int64_t row)
{
    const int64_t lost = lost_of(a, row);
    ifn_linear_args one = *a;
    one.rows = 1;
    one.part2_begin = one.part2_end = 0;
    one.x = a->x + row * a->x_stride + lost / (int64_t)sizeof(float);
    for (int64_t i = 0; i < a->n_w; i++)
        one.out[i] = a->out[i] + row * a->out_stride[i];
    return ifn_linear(base, &one);
}

ifn_status museum_x_stride_int(ifn_backend *self, const ifn_linear_args *a)
{
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    ifn_status status = IFN_OK;
    if (a->rows < 1 || rows.end > a->rows || !lost_of(a, rows.end - 1))
        return ifn_linear(self->base, a);
    for (int64_t row = rows.begin; status == IFN_OK && row < rows.end; row++)
        status = multiply_wrong(self->base, a, row);
    return status;
}
