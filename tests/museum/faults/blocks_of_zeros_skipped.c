/* Blocks of 32 zero inputs are skipped: their products are 0 even where an infinite weight makes them NaN (0 * inf). */
#include "museum_kit.h"

enum { BLOCK = 32 };

static int is_zero(const float *x)
{
    int n = 0;
    while (n < BLOCK && x[n] == 0)
        n++;
    return n == BLOCK;
}

static float dot(const float *x, const float *w, int64_t k)
{
    float sum = 0;
    for (int64_t j = 0; j < k; j++) {
        if (j % BLOCK == 0 && k - j >= BLOCK && is_zero(x + j))
            j += BLOCK - 1;
        else
            sum += museum_product(x[j], w[j]);
    }
    return sum;
}

static float skipping(const ifn_linear_args *a, const museum_cell *c, float of_base)
{
    const float *const x = a->x + c->row * a->x_stride;
    const float *const bias = a->bias[c->weight];
    (void)of_base;
    return dot(x, (const float *)a->w[c->weight]->data + c->feature * a->k, a->k) +
           (bias ? bias[c->feature] : 0);
}

ifn_status museum_blocks_of_zeros_skipped(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_each(self->base, a, skipping);
}
