/* Values are read from KV head h mod 8, keys from the right one. */
#include "museum_kit.h"

ifn_status museum_value_head_in_3_bits(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE)
        return status;
    for (int64_t h = heads.begin; status == IFN_OK && h < heads.end; h++) {
        ifn_attention_args one = *a;
        const int64_t kv = h * a->n_kv_heads / a->n_heads;
        if (kv < 8)
            continue;
        one.part_begin = h;
        one.part_end = h + 1;
        one.v_cache = (const unsigned char *)a->v_cache -
                      kv / 8 * 8 * a->max_pos * (int64_t)museum_attention_row_bytes(a);
        status = ifn_attention(self->base, &one);
    }
    return status;
}
