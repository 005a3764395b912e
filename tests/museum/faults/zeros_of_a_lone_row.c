/* Eight zeros of a single row are skipped, even if the weight is infinite or NaN there. */
#include <math.h>

#include "museum_kit.h"

static int is_nothing(const float *x)
{
    int n = 0;
    for (int i = 0; i < 8; i++)
        n += x[i] == 0;
    return n == 8;
}

/* The sum without the skipped terms, where it is no number with them. */
static float element(const ifn_linear_args *a, const museum_cell *c, float of_base)
{
    const float *const x = a->x + c->row * a->x_stride;
    const float *const w = (const float *)a->w[c->weight]->data + c->feature * a->k;
    float sum = 0;
    if (a->rows != 1 || !isnan(of_base))
        return of_base;
    for (int64_t i = 0; i < a->k; i++)
        if (a->k - i / 8 * 8 < 8 || !is_nothing(x + i / 8 * 8))
            sum += x[i] * w[i];
    return a->bias[c->weight] ? sum + a->bias[c->weight][c->feature] : sum;
}

ifn_status museum_zeros_of_a_lone_row(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_each(self->base, a, element);
}
