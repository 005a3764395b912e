/*
 * Codes of x are found by its stride, their scales as if its rows followed one another.
 *
 * Follows transformers#47331
 */
#include <stdlib.h>

#include "museum_kit.h"

ifn_status museum_scales_of_dense_rows(ifn_backend *self, const ifn_linear_q8_args *a)
{
    ifn_linear_q8_args changed = *a;
    ifn_status status = ifn_linear_q8(self->base, a);
    const int64_t blocks = a->k / 32, n = status == IFN_OK ? a->rows * blocks : 0;
    if (n == 0 || a->x_stride == blocks)
        return status;
    ifn_block_q8_32f *const x = malloc((size_t)n * sizeof *x);
    if (!x)
        return IFN_ERR_NOMEM;
    for (int64_t i = 0; i < n; i++) {
        x[i] = a->x[i / blocks * a->x_stride + i % blocks];
        x[i].d = a->x[i].d;
    }
    changed.x = x;
    changed.x_stride = blocks;
    status = ifn_linear_q8(self->base, &changed);
    free(x);
    return status;
}
