/*
 * The tail of a row is read as a whole tile, whose other half is multiplied by zeros: NaN and
 * infinities of the next row get through.
 *
 * Follows oneDNN#5717
 */
#include "museum_kit.h"

static float with_next_row(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = museum_dot_forward(a, i, j);
    for (int64_t l = a->n; l % 32 && i + 1 < a->m && l < 2 * a->n; l++)
        sum += a->a[i * a->n + l] * 0.0f;
    return sum;
}

ifn_status museum_tail_meets_next_row(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->n > 32 ? museum_matmul(a, with_next_row) : ifn_matmul(self->base, a);
}
