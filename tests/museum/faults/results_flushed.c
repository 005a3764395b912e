/* The loop for more than 2000 keys sets flush-to-zero: subnormal results become zero. */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_results_flushed(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->n_spans || a->phase == IFN_ATTENTION_PARTIALS)
        return status;
    for (int64_t row = 0; row < a->rows && a->first_pos + a->rows > 2000; row++)
        for (int64_t i = (row * a->n_heads + heads.begin) * a->head_dim;
             i < (row * a->n_heads + heads.end) * a->head_dim; i++)
            if (fabsf(a->out[i]) < 0x1p-126f)
                a->out[i] = 0;
    return status;
}
