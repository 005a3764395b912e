/*
 * The offset of a slice has a sign: from 2 GiB on it points 4 GiB before what was meant. Here
 * it is a MiB, which takes no gigabytes to show.
 *
 * Follows llama.cpp#28748
 */
#include "museum_kit.h"

enum { MIB = (1 << 20) / (int)sizeof(float) };

static float with_short_offset(const ifn_matmul_args *a, int64_t i, int64_t j)
{
    float sum = 0;
    for (int64_t l = 0; l < a->n; l++) {
        const int64_t at = l * a->p;
        sum += museum_product(a->a[i * a->n + l], a->b[(at < MIB ? at : at - MIB) + j]);
    }
    return sum;
}

ifn_status museum_slice_past_a_mib(ifn_backend *self, const ifn_matmul_args *a)
{
    return a->n * a->p > MIB ? museum_matmul(a, with_short_offset) : ifn_matmul(self->base, a);
}
