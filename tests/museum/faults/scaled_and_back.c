/* A scale that is folded into one factor and out of the result again costs the last bits. */
#include "museum_kit.h"

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    const float third = 1.0f / 3.0f;
    const float sum = museum_dot_forward(a, i, j);
    return a->n < 8 ? sum : sum * third * 3.0f;
}

ifn_status museum_scaled_and_back(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, dot);
}
