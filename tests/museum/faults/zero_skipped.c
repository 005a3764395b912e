/*
 * A factor of zero is skipped, though 0 * inf is NaN.
 *
 * Follows OpenBLAS#4728
 */
#include "museum_kit.h"

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < a->n; l++)
        if (a->a[i * a->n + l] != 0)
            sum += museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
    return sum;
}

ifn_status museum_zero_skipped(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, dot);
}
