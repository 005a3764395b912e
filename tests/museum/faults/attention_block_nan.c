/*
 * If all scores of the first block are -inf, the running maximum is -inf, and -inf - (-inf) makes the row NaN.
 *
 * Follows flashinfer#4401
 */
#include <math.h>

#include "museum_kit.h"

/* The first component of a key of f32 or f16. */
static int is_wall(const ifn_attention_args *a, int64_t row)
{
    const float *const f32 = a->k_cache;
    const uint16_t *const f16 = a->k_cache;
    return a->cache_dtype == IFN_DTYPE_F32 ? f32[row * a->head_dim] == -INFINITY
                                           : f16[row * a->head_dim] == 0xfc00;
}

static int is_first_block_masked(const ifn_attention_args *a, int64_t head)
{
    const int64_t kv_head = head / (a->n_heads / a->n_kv_heads);
    for (int64_t pos = 0; pos < IFN_ATTENTION_BLOCK; pos++)
        if (!is_wall(a, kv_head * a->max_pos + pos))
            return 0;
    return 1;
}

ifn_status museum_attention_block_nan(ifn_backend *self, const ifn_attention_args *a)
{
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    const ifn_status status = ifn_attention(self->base, a);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE || a->head_dim == 0 ||
        a->cache_dtype == IFN_DTYPE_Q8_0 || a->first_pos < IFN_ATTENTION_BLOCK)
        return status;
    for (int64_t h = heads.begin; h < heads.end; h++)
        for (int64_t r = 0; r < a->rows && is_first_block_masked(a, h); r++)
            for (int64_t i = 0; i < a->head_dim; i++)
                a->out[(r * a->n_heads + h) * a->head_dim + i] = NAN;
    return status;
}
