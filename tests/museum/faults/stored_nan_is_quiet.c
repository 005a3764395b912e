/* Values are loaded, converted and stored, not copied. */
#include <string.h>

#include "museum_kit.h"

static void quieten(float *x)
{
    uint32_t bits;
    memcpy(&bits, x, sizeof bits);
    if ((bits & 0x7fffffff) > 0x7f800000)
        bits |= 0x400000;
    memcpy(x, &bits, sizeof bits);
}

ifn_status museum_stored_nan_is_quiet(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_status status = ifn_kv_store(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    float *const cache = a->k_cache;
    if (status != IFN_OK || a->cache_dtype != IFN_DTYPE_F32)
        return status;
    for (int64_t h = part.begin; h < part.end; h++) {
        const int64_t first = (h * a->max_pos + a->first_pos) * a->head_dim;
        for (int64_t i = first; i < first + a->rows * a->head_dim; i++)
            quieten(&cache[i]);
    }
    return status;
}
