#include "scalar.h"

IFN_SCALAR_UNSANITIZED static void add_scaled(float *out, float factor, const float *b, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        out[j] += factor * b[j];
}

/*
 * Adds whole rows of b to row i of out: each element still adds its products in ascending order of l,
 * and the inner loop reads memory sequentially.
 */
static void multiply_row(const ifn_matmul_args *a, int64_t i, ifn_range cols)
{
    float *const out = a->out + i * a->p + cols.begin;
    const int64_t n = cols.end - cols.begin;
    for (int64_t j = 0; j < n; j++)
        out[j] = 0.0f;
    for (int64_t l = 0; l < a->n; l++)
        add_scaled(out, a->a[i * a->n + l], a->b + l * a->p + cols.begin, n);
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
