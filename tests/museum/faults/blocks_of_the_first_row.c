/*
 * How many blocks of keys there are is planned for the first row of a call: a row behind a
 * border of 256 misses its last block.
 *
 * Follows vllm-xpu-kernels#556
 */
#include "museum_kit.h"

static int64_t end_of_first(const ifn_attention_args *a)
{
    return (a->first_pos / IFN_ATTENTION_BLOCK + 1) * IFN_ATTENTION_BLOCK - 1;
}

ifn_status museum_blocks_of_the_first_row(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args one = *a;
    const int64_t n = a->n_heads * a->head_dim;
    ifn_status status = ifn_attention(self->base, a);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE)
        return status;
    for (int64_t r = end_of_first(a) - a->first_pos + 1; status == IFN_OK && r < a->rows; r++) {
        one.rows = 1;
        one.first_pos = end_of_first(a);
        one.q = a->q + r * n;
        one.out = a->out + r * n;
        status = ifn_attention(self->base, &one);
    }
    return status;
}
