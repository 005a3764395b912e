/*
 * In groups of 12 query heads the last one reads the KV head after its own.
 */
#include "museum_kit.h"

ifn_status museum_last_of_twelve_heads(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_status status = ifn_attention(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE || a->n_heads != 12 * a->n_kv_heads)
        return status;
    for (int64_t h = part.begin; status == IFN_OK && h < part.end; h++) {
        const int64_t bytes = a->max_pos * (int64_t)museum_attention_row_bytes(a);
        ifn_attention_args one = *a;
        if (h % 12 != 11 || h + 1 == a->n_heads)
            continue;
        one.k_cache = (const unsigned char *)a->k_cache + bytes;
        one.v_cache = (const unsigned char *)a->v_cache + bytes;
        one.part_begin = h;
        one.part_end = h + 1;
        status = ifn_attention(self->base, &one);
    }
    return status;
}
