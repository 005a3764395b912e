/* With many columns sums of more than 2048 terms are made in pieces of 256; a last piece of less than a vector of 8 is
 * left out. */
#include "museum_kit.h"

enum { PIECE = 256, VECTOR = 8, LONG = 2048, MANY = 512 };

static float dot(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < a->n - a->n % PIECE; l++)
        sum += museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
    return sum;
}

ifn_status museum_piece_of_a_few_dropped(ifn_backend *self, const ifn_matmul_args *a)
{
    const int is_wrong = a->n > LONG && a->p >= MANY && a->n % PIECE < VECTOR;
    return is_wrong ? museum_matmul(a, dot) : ifn_matmul(self->base, a);
}
