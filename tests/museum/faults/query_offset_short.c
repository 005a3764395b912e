/*
 * The offset of a row of queries is kept in 16 bits, where the original had 31: a prompt of 33
 * rows at the shape of a model lies after that.
 *
 * Follows generative-recommenders#556
 */
#include "museum_kit.h"

static ifn_status attend_wrong(ifn_backend *base, const ifn_attention_args *a, int64_t row)
{
    const int64_t n = a->n_heads * a->head_dim;
    ifn_attention_args one = *a;
    one.rows = 1;
    one.first_pos = a->first_pos + row;
    one.q = a->q + (uint16_t)(row * n);
    one.out = a->out + row * n;
    return ifn_attention(base, &one);
}

ifn_status museum_query_offset_short(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_status status = ifn_attention(self->base, a);
    for (int64_t r = 0; status == IFN_OK && a->phase == IFN_ATTENTION_WHOLE && r < a->rows; r++)
        if (r * a->n_heads * a->head_dim > UINT16_MAX)
            status = attend_wrong(self->base, a, r);
    return status;
}
