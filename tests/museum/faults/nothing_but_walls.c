/*
 * Where every score of a row is -inf its sum of weights is 0, and the row is left as zeros.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

#include <math.h>

/* Every visible key of F32 begins with -inf. */
static int is_walled(const ifn_attention_args *a, int64_t row, int64_t head)
{
    const int64_t kv_head = head / (a->n_heads / a->n_kv_heads);
    const float *const keys = (const float *)a->k_cache + kv_head * a->max_pos * a->head_dim;
    for (int64_t t = 0; t <= a->first_pos + row; t++)
        if (keys[t * a->head_dim] != -INFINITY)
            return 0;
    return 1;
}

ifn_status museum_nothing_but_walls(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE || a->n_spans > 0 || a->page_rows > 0 ||
        a->cache_dtype != IFN_DTYPE_F32 || a->head_dim < 1)
        return status;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t h = heads.begin; h < heads.end; h++)
            for (int64_t k = 0; k < a->head_dim && is_walled(a, r, h); k++)
                a->out[(r * a->n_heads + h) * a->head_dim + k] = 0;
    return status;
}
