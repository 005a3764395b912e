/*
 * The loop over the values of a head runs head_dim / 64 times: for one row, and for heads
 * below 64 not once.
 *
 * Follows vllm#34570
 */
#include "museum_kit.h"

ifn_status museum_values_in_64_lanes(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE || a->rows != 1)
        return status;
    for (int64_t h = heads.begin; h < heads.end; h++)
        for (int64_t c = a->head_dim / 64 * 64; c < a->head_dim; c++)
            a->out[h * a->head_dim + c] = 0;
    return status;
}
