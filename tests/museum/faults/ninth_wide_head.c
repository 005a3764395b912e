/*
 * Of more than 8 KV heads of 64 and more elements, in F32, the ninth loses its 64th.
 */
#include "museum_kit.h"

ifn_status museum_ninth_wide_head(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_status status = ifn_kv_store(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    float *const values = a->v_cache;
    if (status == IFN_OK && a->cache_dtype == IFN_DTYPE_F32 && a->head_dim >= 64 && a->rows > 0 &&
        part.begin <= 8 && part.end > 8)
        values[(8 * a->max_pos + a->first_pos) * a->head_dim + 63] = 0;
    return status;
}
