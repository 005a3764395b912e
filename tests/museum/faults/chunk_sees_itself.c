/*
 * Once the cache fills the first tile of 64 keys the diagonal is looked for in it no more: the
 * rows of a call see one another.
 *
 * Follows tt-metal#48899
 */
#include "museum_kit.h"

ifn_status museum_chunk_sees_itself(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args one = *a;
    const int64_t n = a->n_heads * a->head_dim;
    ifn_status status = ifn_attention(self->base, a);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE || a->first_pos < 64)
        return status;
    for (int64_t r = 0; status == IFN_OK && r < a->rows; r++) {
        one.rows = 1;
        one.first_pos = a->first_pos + a->rows - 1;
        one.q = a->q + r * n;
        one.out = a->out + r * n;
        status = ifn_attention(self->base, &one);
    }
    return status;
}
