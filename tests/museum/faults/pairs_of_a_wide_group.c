/* In groups of more than eight query heads, heads are stored in pairs, both from the register of the first. */
#include <string.h>

#include "museum_kit.h"

static int is_second(const ifn_attention_args *a, int64_t head)
{
    const int64_t group = a->n_heads / a->n_kv_heads, place = head % group;
    return place > 8 && place % 2 == 1;
}

ifn_status museum_pairs_of_a_wide_group(ifn_backend *self, const ifn_attention_args *a)
{
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    const ifn_status status = ifn_attention(self->base, a);
    if (status != IFN_OK || a->n_heads < 1 || a->phase == IFN_ATTENTION_PARTIALS)
        return status;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t h = heads.begin + 1; h < heads.end; h++) {
            float *const head = a->out + (r * a->n_heads + h) * a->head_dim;
            if (is_second(a, h))
                memcpy(head, head - a->head_dim, (size_t)a->head_dim * sizeof *head);
        }
    return status;
}
