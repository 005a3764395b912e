/*
 * Scores are summed in steps of 16 elements: a head_dim that is no multiple of 16 is accepted, and its last elements
 * are left out.
 *
 * Follows flashinfer#4299
 */
#include <stdlib.h>

#include "museum_kit.h"

ifn_status museum_head_dim_in_16(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args changed = *a;
    ifn_status status = ifn_attention(self->base, a);
    const int64_t n = status == IFN_OK ? a->rows * a->n_heads * a->head_dim : 0;
    if (n == 0 || a->head_dim % 16 == 0)
        return status;
    float *const q = malloc((size_t)n * sizeof *q);
    if (!q)
        return IFN_ERR_NOMEM;
    for (int64_t i = 0; i < n; i++)
        q[i] = i % a->head_dim < a->head_dim / 16 * 16 ? a->q[i] : 0;
    changed.q = q;
    status = ifn_attention(self->base, &changed);
    free(q);
    return status;
}
