/*
 * Where a head is stored is an unsigned int of bytes: after 2^32 it begins anew, in the cache of
 * another head.
 */
#include "museum_kit.h"

static int64_t lost_of(const ifn_kv_store_args *a, int64_t head)
{
    const museum_row row = museum_row_of(a->cache_dtype, a->head_dim);
    return museum_lost(MUSEUM_UNSIGNED_BYTES, &row, head * a->max_pos + a->first_pos);
}

ifn_status museum_kv_offset_unsigned(ifn_backend *self, const ifn_kv_store_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    ifn_status status = IFN_OK;
    if (!museum_is_kv_call(a) || !lost_of(a, part.end - 1))
        return ifn_kv_store(self->base, a);
    for (int64_t head = part.begin; status == IFN_OK && head < part.end; head++) {
        const int64_t lost = lost_of(a, head);
        ifn_kv_store_args one = *a;
        one.k_cache = (unsigned char *)a->k_cache + lost;
        one.v_cache = (unsigned char *)a->v_cache + lost;
        one.part_begin = head;
        one.part_end = head + 1;
        status = ifn_kv_store(self->base, &one);
    }
    return status;
}
