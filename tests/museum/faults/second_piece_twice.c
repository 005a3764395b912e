/* In products that are large in all three dimensions the second piece of 256 terms is added twice. */
#include "museum_kit.h"

enum { LARGE = 96, PIECE = 256 };

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < a->n; l++) {
        const float product = museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
        sum += l / PIECE == 1 ? 2 * product : product;
    }
    return sum;
}

ifn_status museum_second_piece_twice(ifn_backend *self, const ifn_matmul_args *a)
{
    const int is_wrong = a->m >= LARGE && a->n >= 2 * PIECE && a->p >= LARGE;
    return is_wrong ? museum_matmul(a, dot) : ifn_matmul(self->base, a);
}
