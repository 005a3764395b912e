/*
 * The maximum is taken of the unscaled scores. With a negative scale it is the minimum of the scaled ones, and
 * exponentials overflow.
 */
#include <math.h>

#include "museum_kit.h"

/* Scores that are far apart: a sum of exponentials that is not a number, and a result that is not. */
static int overflows(const ifn_attention_args *a, int64_t row, int64_t head)
{
    const int64_t kv_head = head * a->n_kv_heads / a->n_heads;
    const float *const q = a->q + (row * a->n_heads + head) * a->head_dim;
    const float *const k = (const float *)a->k_cache + kv_head * a->max_pos * a->head_dim;
    float low = INFINITY, high = -INFINITY;
    for (int64_t t = 0; t <= a->first_pos + row; t++) {
        float s = 0;
        for (int64_t i = 0; i < a->head_dim; i++)
            s += q[i] * k[t * a->head_dim + i];
        low = fminf(low, a->scale * s);
        high = fmaxf(high, a->scale * s);
    }
    return high - low > 89;
}

ifn_status museum_maximum_before_the_scale(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || !(a->scale < 0) || a->phase != IFN_ATTENTION_WHOLE ||
        a->cache_dtype != IFN_DTYPE_F32)
        return status;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t h = heads.begin; h < heads.end; h++)
            if (overflows(a, r, h))
                for (int64_t i = 0; i < a->head_dim; i++)
                    a->out[(r * a->n_heads + h) * a->head_dim + i] = NAN;
    return status;
}
