/*
 * Where the keys of a head begin is an int of bytes: after 2^31 it is negative.
 */
#include "museum_kit.h"

static ifn_status attend_wrong(ifn_backend *base, const ifn_attention_args *a, int64_t head,
                               int64_t lost)
{
    ifn_attention_args one = *a;
    one.k_cache = (const unsigned char *)a->k_cache + lost;
    one.v_cache = (const unsigned char *)a->v_cache + lost;
    one.part_begin = head;
    one.part_end = head + 1;
    return ifn_attention(base, &one);
}

ifn_status museum_keys_offset_int(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_status status = ifn_attention(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n_heads);
    for (int64_t h = part.begin; a->phase == IFN_ATTENTION_WHOLE && h < part.end; h++) {
        const museum_row row = museum_row_of(a->cache_dtype, a->head_dim);
        const int64_t first = status == IFN_OK ? h * a->n_kv_heads / a->n_heads * a->max_pos : 0;
        const int64_t lost = museum_lost(MUSEUM_INT_BYTES, &row, first);
        if (lost)
            status = attend_wrong(self->base, a, h, lost);
    }
    return status;
}
