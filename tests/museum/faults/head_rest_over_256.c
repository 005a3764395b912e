/* If a head has more than 256 components and vectors of 32 leave 16 over, these 16 are copies of the first 16. */
#include <string.h>

#include "museum_kit.h"

enum { REST = 16 };

ifn_status museum_head_rest_over_256(ifn_backend *self, const ifn_attention_args *a)
{
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    const ifn_status status = ifn_attention(self->base, a);
    if (status != IFN_OK || a->head_dim <= 256 || a->head_dim % 32 != REST ||
        a->phase == IFN_ATTENTION_PARTIALS)
        return status;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t h = heads.begin; h < heads.end; h++) {
            float *const head = a->out + (r * a->n_heads + h) * a->head_dim;
            memcpy(head + a->head_dim - REST, head, REST * sizeof *head);
        }
    return status;
}
