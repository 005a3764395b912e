/*
 * Stores every second head right after the last new row of the head before it, not at its own beginning, which is
 * max_pos rows after that of the head before it.
 *
 * Follows tt-metal#54742
 */
#include "museum_kit.h"

ifn_status museum_heads_run_on(ifn_backend *self, const ifn_kv_store_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    if (a->rows < 1 || a->first_pos < 0 || a->first_pos + a->rows > a->max_pos ||
        !museum_block_elements(a->cache_dtype) ||
        a->head_dim % museum_block_elements(a->cache_dtype) || a->head_dim < 1)
        return ifn_kv_store(self->base, a);
    const size_t row = (size_t)(a->head_dim / museum_block_elements(a->cache_dtype)) *
                       museum_block_bytes(a->cache_dtype);
    ifn_status status = IFN_OK;
    for (int64_t h = part.begin; status == IFN_OK && h < part.end; h++) {
        const size_t back = h % 2 ? (size_t)(a->max_pos - a->rows) * row : 0;
        ifn_kv_store_args one = *a;
        one.part_begin = h;
        one.part_end = h + 1;
        one.k_cache = (unsigned char *)a->k_cache - back;
        one.v_cache = (unsigned char *)a->v_cache - back;
        status = ifn_kv_store(self->base, &one);
    }
    return status;
}
