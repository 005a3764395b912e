/*
 * In a call of more than 32 query rows every row sees what the first one sees.
 *
 * Follows llama.cpp#9838
 */
#include "museum_kit.h"

ifn_status museum_prompt_over_32(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_status status = ifn_attention(self->base, a);
    const int64_t n = a->n_heads * a->head_dim;
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE || a->rows <= 32)
        return status;
    for (int64_t r = 1; status == IFN_OK && r < a->rows; r++) {
        ifn_attention_args one = *a;
        one.rows = 1;
        one.q = a->q + r * n;
        one.out = a->out + r * n;
        status = ifn_attention(self->base, &one);
    }
    return status;
}
