/*
 * Of up to 15 leftover terms only 8 are added.
 *
 * Follows llama.cpp#16443
 */
#include "museum_kit.h"

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    const int64_t body = a->n / 16 * 16, left = a->n - body;
    float sum = 0;
    for (int64_t l = 0; l < body + (left < 8 ? left : 8); l++)
        sum += museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
    return sum;
}

ifn_status museum_leftover_missed(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, dot);
}
