/* The second piece of a sum begins one term too late: term 4096 is lost. */
#include "museum_kit.h"

static float one_late(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < a->n; l++)
        if (l != 4096)
            sum += museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
    return sum;
}

ifn_status museum_term_4096_lost(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->n > 4096 ? museum_matmul(a, one_late) : ifn_matmul(self->base, a);
}
