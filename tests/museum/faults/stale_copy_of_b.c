/*
 * A packed copy of b is found by address and shape, and used even if b has been written to since.
 *
 * Follows AiDotNet.Tensors#583
 */
#include <string.h>

#include "museum_kit.h"

static struct {
    const float *b;
    int64_t n, p;
    float data[4096];
} packed;

ifn_status museum_stale_copy_of_b(ifn_backend *self, const ifn_matmul_args *a)
{
    ifn_matmul_args changed = *a;
    if (a->m < 1 || a->n < 1 || a->p < 1 || a->n * a->p > 4096 || a->call.n_lanes > 1)
        return ifn_matmul(self->base, a);
    if (packed.b != a->b || packed.n != a->n || packed.p != a->p) {
        packed.b = a->b;
        packed.n = a->n;
        packed.p = a->p;
        memcpy(packed.data, a->b, (size_t)(a->n * a->p) * sizeof *a->b);
    }
    changed.b = packed.data;
    return ifn_matmul(self->base, &changed);
}
