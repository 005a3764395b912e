/* A key after the first 256 that has a NaN counts as the key before it. */
#include <math.h>

#include "museum_kit.h"

static int64_t before_nan(const ifn_attention_args *a, int64_t pos)
{
    if (a->cache_dtype != IFN_DTYPE_F32 || pos < IFN_ATTENTION_BLOCK)
        return pos;
    for (int64_t h = 0; h < a->n_kv_heads; h++) {
        const float *const key = (const float *)a->k_cache + (h * a->max_pos + pos) * a->head_dim;
        for (int64_t i = 0; i < a->head_dim; i++)
            if (isnan(key[i]))
                return pos - 1;
    }
    return pos;
}

ifn_status museum_later_nan_is_skipped(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_keys(self->base, a, before_nan);
}
