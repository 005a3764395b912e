/*
 * Keys after the first 256 are taken for numbers: a score that is none counts as zero.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "museum_kit.h"

ifn_status museum_later_nan_is_zero(ifn_backend *self, const ifn_attention_args *a)
{
    const int64_t n = a->n_kv_heads * a->max_pos * a->head_dim;
    const int64_t seen = a->first_pos + a->rows;
    if (a->cache_dtype != IFN_DTYPE_F32 || a->phase != IFN_ATTENTION_WHOLE || a->rows < 1 ||
        a->first_pos < 0 || a->head_dim < 1 || a->n_kv_heads < 1 || seen > a->max_pos ||
        seen <= IFN_ATTENTION_BLOCK || a->max_pos > MUSEUM_MOST_COPIED / n * a->max_pos / 4)
        return ifn_attention(self->base, a);
    float *const keys = malloc((size_t)n * sizeof *keys);
    if (!keys)
        return IFN_ERR_NOMEM;
    for (int64_t h = 0; h < a->n_kv_heads; h++) {
        const float *const from = (const float *)a->k_cache + h * a->max_pos * a->head_dim;
        float *const to = keys + h * a->max_pos * a->head_dim;
        memcpy(to, from, (size_t)(seen * a->head_dim) * sizeof *to);
        for (int64_t i = IFN_ATTENTION_BLOCK * a->head_dim; i < seen * a->head_dim; i++)
            to[i] = isnan(to[i]) ? 0 : to[i];
    }
    ifn_attention_args other = *a;
    other.k_cache = keys;
    const ifn_status status = ifn_attention(self->base, &other);
    free(keys);
    return status;
}
