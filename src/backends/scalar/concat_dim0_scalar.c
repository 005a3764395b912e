#include "scalar.h"

ifn_status ifn_scalar_concat_dim0(ifn_backend *self, const ifn_concat_dim0_args *a)
{
    (void)self;
    if (a->a_rows < 0 || a->b_rows < 0 || a->cols < 0)
        return IFN_ERR_SHAPE;
    const int64_t rows = a->a_rows + a->b_rows;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, rows);
    const ifn_range in_a = ifn_part_within(part, 0, a->a_rows);
    const ifn_range in_b = ifn_part_within(part, a->a_rows, rows);
    ifn_scalar_copy(a->out, in_a.begin * a->cols, a->a, in_a.begin * a->cols,
                    (in_a.end - in_a.begin) * a->cols);
    ifn_scalar_copy(a->out, (a->a_rows + in_b.begin) * a->cols, a->b, in_b.begin * a->cols,
                    (in_b.end - in_b.begin) * a->cols);
    return IFN_OK;
}
