/* Of more than 256 rows those after the last whole tile of 64 lose their last term. */
#include "museum_kit.h"

static float without_last(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    const int64_t n = i >= a->m / 64 * 64 ? a->n - 1 : a->n;
    float sum = 0;
    for (int64_t t = 0; t < n; t++)
        sum += museum_product(a->a[i * a->n + t], a->b[t * a->p + j]);
    return sum;
}

ifn_status museum_rows_over_256(ifn_backend *self, const ifn_matmul_args *a)
{
    const ifn_status status = ifn_matmul(self->base, a);
    return status == IFN_OK && a->m > 256 && a->n > 0 ? museum_matmul(a, without_last) : status;
}
