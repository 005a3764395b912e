#include "checked.h"
#include "scalar.h"

ifn_status ifn_scalar_reshape_data(ifn_backend *self, const ifn_reshape_data_args *a)
{
    (void)self;
    int64_t n, out_n;
    if (!ifn_mul_i64(a->rows, a->cols, &n) || !ifn_mul_i64(a->out_rows, a->out_cols, &out_n) ||
        n != out_n)
        return IFN_ERR_SHAPE;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, n);
    if (a->out != a->x)
        ifn_scalar_copy(a->out, part.begin, a->x, part.begin, part.end - part.begin);
    return IFN_OK;
}
