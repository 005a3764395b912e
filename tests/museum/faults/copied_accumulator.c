/*
 * The fourth of four accumulators multiplies by the third's operand.
 *
 * Follows llama.cpp#16518
 */
#include "museum_kit.h"

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    const float *x = a->a + i * a->n, *y = a->b + j;
    float sum[4] = {0};
    int64_t l = 0;
    for (; l + 4 <= a->n; l += 4) {
        sum[0] += museum_product(x[l], y[l * a->p]);
        sum[1] += museum_product(x[l + 1], y[(l + 1) * a->p]);
        sum[2] += museum_product(x[l + 2], y[(l + 2) * a->p]);
        sum[3] += museum_product(x[l + 2], y[(l + 3) * a->p]);
    }
    for (; l < a->n; l++)
        sum[0] += museum_product(x[l], y[l * a->p]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

ifn_status museum_copied_accumulator(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, dot);
}
