/*
 * Of more than 64 query rows those after the first 64 are given those before them.
 *
 * Follows flashinfer#5095
 */
#include "museum_kit.h"

ifn_status museum_queries_from_65(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE)
        return status;
    for (int64_t r = 64; r < a->rows; r++)
        for (int64_t i = heads.begin * a->head_dim; i < heads.end * a->head_dim; i++)
            a->out[r * a->n_heads * a->head_dim + i] =
                a->out[(r - 64) * a->n_heads * a->head_dim + i];
    return status;
}
