#include "search.h"

#include <stddef.h>

static void affine(const float *x, int n_blocks, ifn_affine_shape shape, ifn_affine_fit *out)
{
    for (int b = 0; b < n_blocks; b++)
        ifn_search_affine(x + 256 * b, NULL, shape, &out[b]);
}

static void symmetric(const float *x, int n_blocks, ifn_symmetric_shape shape,
                      ifn_symmetric_fit *out)
{
    for (int b = 0; b < n_blocks; b++)
        ifn_search_symmetric(x + 256 * b, NULL, shape, &out[b]);
}

const ifn_searches ifn_plain_searches = {affine, symmetric};
