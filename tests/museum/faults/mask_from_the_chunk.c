/*
 * The mask of a chunk begins at key 0, as if nothing had been in the cache. Single rows are
 * right.
 *
 * Follows sparkinfer#3
 */
#include "museum_kit.h"

/* A call of one row is told by its first position alone: rows are taken apart one by one. */
ifn_status museum_mask_from_the_chunk(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args one = *a;
    const int64_t n = a->n_heads * a->head_dim;
    ifn_status status = ifn_attention(self->base, a);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE || a->rows == 1)
        return status;
    for (int64_t r = 0; status == IFN_OK && r < a->rows; r++) {
        one.rows = 1;
        one.first_pos = r;
        one.q = a->q + r * n;
        one.out = a->out + r * n;
        status = ifn_attention(self->base, &one);
    }
    return status;
}
