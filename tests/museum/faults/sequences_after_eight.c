/* Of a list of more than eight sequences those after the eighth get zeros. */
#include "museum_kit.h"

ifn_status museum_sequences_after_eight(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    int64_t row = 0;
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE)
        return status;
    for (int64_t i = 0; i < a->n_spans; row += a->spans[i++].rows)
        for (int64_t r = 0; i >= 8 && r < a->spans[i].rows; r++)
            for (int64_t k = heads.begin * a->head_dim; k < heads.end * a->head_dim; k++)
                a->out[(row + r) * a->n_heads * a->head_dim + k] = 0;
    return status;
}
