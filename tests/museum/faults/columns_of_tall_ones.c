/* Tall matrices are done two columns at a time; the last column becomes the one before it. */
#include "museum_kit.h"

static float pair_of(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    return museum_dot_forward(a, i, j > 0 && j == a->p - 1 ? j - 1 : j);
}

ifn_status museum_columns_of_tall_ones(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->m > 64 ? museum_matmul(a, pair_of) : ifn_matmul(self->base, a);
}
