/* A panel of b has room for 4096 rows and is not loaded again for the rows after these. */
#include "museum_kit.h"

static float one_panel(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < a->n; l++)
        sum += museum_product(a->a[i * a->n + l], a->b[l % 4096 * a->p + j]);
    return sum;
}

ifn_status museum_depth_after_4096(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->n > 4096 ? museum_matmul(a, one_panel) : ifn_matmul(self->base, a);
}
