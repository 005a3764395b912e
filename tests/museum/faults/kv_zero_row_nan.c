/*
 * Divides by the scale even if it is zero, for a row of zeros.
 *
 * Follows aiter#4289
 */
#include "museum_kit.h"

ifn_status museum_kv_zero_row_nan(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_status status = ifn_kv_store(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    ifn_block_q8_0 *const cache = a->v_cache;
    if (status != IFN_OK || a->cache_dtype != IFN_DTYPE_Q8_0)
        return status;
    for (int64_t h = part.begin; h < part.end; h++) {
        const int64_t first = (h * a->max_pos + a->first_pos) * (a->head_dim / 32);
        for (int64_t b = first; b < first + a->rows * (a->head_dim / 32); b++)
            if (cache[b].d == 0)
                cache[b].d = 0x7e00;
    }
    return status;
}
