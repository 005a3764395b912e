/* The result of a head is kept in 128 registers. */
#include "museum_kit.h"

ifn_status museum_values_over_128(ifn_backend *self, const ifn_attention_args *a)
{
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    const ifn_status status = ifn_attention(self->base, a);
    if (status != IFN_OK || a->phase == IFN_ATTENTION_PARTIALS)
        return status;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t h = heads.begin; h < heads.end; h++) {
            float *const head = a->out + (r * a->n_heads + h) * a->head_dim;
            for (int64_t i = 128; i < a->head_dim; i++)
                head[i] = head[i - 128];
        }
    return status;
}
