/*
 * Sums are kept with the 11 significant bits of f16.
 *
 * Follows llama.cpp#22841
 */
#include "museum_kit.h"

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < a->n; l++)
        sum = museum_round_bits(sum + museum_product(a->a[i * a->n + l], a->b[l * a->p + j]), 11);
    return sum;
}

ifn_status museum_f16_accumulator(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, dot);
}
