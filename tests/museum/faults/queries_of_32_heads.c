/* The query of a head is indexed by the low five bits of the head's number. */
#include "museum_kit.h"

ifn_status museum_queries_of_32_heads(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->phase == IFN_ATTENTION_MERGE)
        return status;
    for (int64_t h = heads.begin; status == IFN_OK && h < heads.end; h++) {
        ifn_attention_args one = *a;
        if (h < 32)
            continue;
        one.part_begin = h;
        one.part_end = h + 1;
        one.q = a->q - h / 32 * 32 * a->head_dim;
        status = ifn_attention(self->base, &one);
    }
    return status;
}
