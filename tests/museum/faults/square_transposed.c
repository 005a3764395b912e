/* A square b is read by columns. */
#include "museum_kit.h"

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    if (a->n != a->p)
        return museum_dot_forward(a, i, j);
    for (int64_t l = 0; l < a->n; l++)
        sum += museum_product(a->a[i * a->n + l], a->b[j * a->p + l]);
    return sum;
}

ifn_status museum_square_transposed(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, dot);
}
