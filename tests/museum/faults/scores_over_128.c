/* The query of a head is kept in 128 registers. */
#include <stdlib.h>

#include "museum_kit.h"

ifn_status museum_scores_over_128(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args changed = *a;
    ifn_status status = ifn_attention(self->base, a);
    const int64_t dim = a->head_dim, n = status == IFN_OK ? a->rows * a->n_heads * dim : 0;
    if (n == 0 || dim <= 128)
        return status;
    float *const q = malloc((size_t)n * sizeof *q);
    if (!q)
        return IFN_ERR_NOMEM;
    for (int64_t i = 0; i < n; i++)
        q[i] = i % dim < 128 ? a->q[i] : 0;
    changed.q = q;
    status = ifn_attention(self->base, &changed);
    free(q);
    return status;
}
