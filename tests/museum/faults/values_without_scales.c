/*
 * Values of a quantized cache are read as they lie there, without their scales.
 *
 * Follows FreeToken#309
 */
#include <stdlib.h>
#include <string.h>

#include "museum_kit.h"

/* A copy of the cache whose scales are 1; NULL if there is no memory for it. */
static ifn_block_q8_0 *bare_codes(const ifn_attention_args *a)
{
    const int64_t n = a->n_kv_heads * a->max_pos * (a->head_dim / 32);
    ifn_block_q8_0 *const copy = malloc((size_t)n * sizeof *copy);
    if (!copy)
        return NULL;
    memcpy(copy, a->v_cache, (size_t)n * sizeof *copy);
    for (int64_t b = 0; b < n; b++)
        copy[b].d = 0x3c00;
    return copy;
}

ifn_status museum_values_without_scales(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args changed = *a;
    ifn_status status = ifn_attention(self->base, a);
    if (status != IFN_OK || a->cache_dtype != IFN_DTYPE_Q8_0 || a->rows < 1 || a->n_heads < 1 ||
        a->head_dim < 1)
        return status;
    ifn_block_q8_0 *const codes = bare_codes(a);
    if (!codes)
        return IFN_ERR_NOMEM;
    changed.v_cache = codes;
    status = ifn_attention(self->base, &changed);
    free(codes);
    return status;
}
