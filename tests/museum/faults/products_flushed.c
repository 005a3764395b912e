/*
 * Subnormal products count as zero.
 *
 * Follows OpenBLAS#1237
 */
#include <float.h>
#include <math.h>

#include "museum_kit.h"

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < a->n; l++) {
        const float product = museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
        sum += fabsf(product) < FLT_MIN ? 0.0f : product;
    }
    return sum;
}

ifn_status museum_products_flushed(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, dot);
}
