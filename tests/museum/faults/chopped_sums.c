/*
 * From the 64th term on partial sums are truncated, not rounded, as in tensor cores.
 *
 * Follows Fasi, Higham, Mikaitis, Pranesh 2021, doi:10.7717/peerj-cs.330
 */
#include <math.h>

#include "museum_kit.h"

static float towards_zero(double x)
{
    const float f = (float)x;
    return fabs((double)f) > fabs(x) ? nextafterf(f, 0.0f) : f;
}

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < a->n; l++) {
        const float product = museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
        sum = l < 64 ? sum + product : towards_zero((double)sum + (double)product);
    }
    return sum;
}

ifn_status museum_chopped_sums(ifn_backend *self, const ifn_matmul_args *a)
{
    (void)self;
    return museum_matmul(a, dot);
}
