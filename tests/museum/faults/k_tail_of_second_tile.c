/*
 * If the sum takes more than one tile of 128 terms, the terms after the last whole 16 use the rows of b 16 before
 * theirs.
 *
 * Follows tilelang-ascend#1341
 */
#include "museum_kit.h"

static float with_rows_before(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    const int64_t whole = a->n / 16 * 16;
    float sum = 0;
    for (int64_t l = 0; l < a->n; l++)
        sum += museum_product(a->a[i * a->n + l], a->b[(l < whole ? l : l - 16) * a->p + j]);
    return sum;
}

ifn_status museum_k_tail_of_second_tile(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->n > 128 ? museum_matmul(a, with_rows_before) : ifn_matmul(self->base, a);
}
