#include "scalar.h"

/*
 * Row i of out is built from whole rows of b: each element still adds its products in ascending
 * order of l, and the inner loop goes through memory in order.
 */
static void multiply_row(const ifn_matmul_args *a, int64_t i, ifn_range cols)
{
    for (int64_t j = cols.begin; j < cols.end; j++)
        a->out[i * a->p + j] = 0.0f;
    for (int64_t l = 0; l < a->n; l++) {
        const float factor = a->a[i * a->n + l];
        for (int64_t j = cols.begin; j < cols.end; j++)
            a->out[i * a->p + j] += factor * a->b[l * a->p + j];
    }
}

ifn_status ifn_scalar_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    if (a->m < 0 || a->n < 0 || a->p < 0)
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->m);
    const ifn_range cols = ifn_part(a->part2_begin, a->part2_end, a->p);
    for (int64_t i = rows.begin; i < rows.end; i++)
        multiply_row(a, i, cols);
    return IFN_OK;
}
