/*
 * Lanes that are inactive in the tail lose their sums.
 *
 * Follows llama.cpp#24699
 */
#include "museum_kit.h"

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    const int64_t tail = a->n % 4;
    float sum[4] = {0};
    for (int64_t l = 0; l < a->n; l++)
        sum[l % 4] += museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
    for (int64_t lane = tail; tail && lane < 4; lane++)
        sum[lane] = 0;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

ifn_status museum_inactive_lanes(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, dot);
}
