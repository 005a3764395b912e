/*
 * Values beyond f16 are stored as 65504, not as an infinity.
 *
 * Follows ik_llama.cpp#1659
 */
#include "museum_kit.h"

static void clamp(uint16_t *half)
{
    if ((*half & 0x7fff) == 0x7c00)
        *half = (uint16_t)((*half & 0x8000) | 0x7bff);
}

ifn_status museum_kv_clamped(ifn_backend *self, const ifn_kv_store_args *a)
{
    const ifn_status status = ifn_kv_store(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_kv_heads);
    if (status != IFN_OK || a->cache_dtype != IFN_DTYPE_F16)
        return status;
    for (int64_t h = heads.begin; h < heads.end; h++)
        for (int64_t i = 0; i < a->rows * a->head_dim; i++) {
            const int64_t at = (h * a->max_pos + a->first_pos) * a->head_dim + i;
            clamp((uint16_t *)a->k_cache + at);
            clamp((uint16_t *)a->v_cache + at);
        }
    return status;
}
