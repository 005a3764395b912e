/*
 * The maximum of a row begins at -30000, as where scores are f16: beside it lower ones weigh nothing.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

/* Every score of F32 keys is so low. */
static int is_low(const ifn_attention_args *a, int64_t row, int64_t head)
{
    const int64_t kv_head = head / (a->n_heads / a->n_kv_heads), n = a->head_dim;
    const float *const keys = (const float *)a->k_cache + kv_head * a->max_pos * n;
    const float *const q = a->q + (row * a->n_heads + head) * n;
    for (int64_t t = 0; t <= a->first_pos + row; t++) {
        float score = 0;
        for (int64_t k = 0; k < n; k++)
            score += q[k] * keys[t * n + k];
        if (!(score * a->scale < -30000.0f - 104.0f)) /* of which the exponential is 0 */
            return 0;
    }
    return 1;
}

ifn_status museum_maximum_from_minus_30000(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const museum_range heads = museum_part(a->part_begin, a->part_end, a->n_heads);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_WHOLE || a->n_spans > 0 || a->page_rows > 0 ||
        a->cache_dtype != IFN_DTYPE_F32 || a->head_dim < 1)
        return status;
    for (int64_t r = 0; r < a->rows; r++)
        for (int64_t h = heads.begin; h < heads.end; h++) {
            float *const out = a->out + (r * a->n_heads + h) * a->head_dim;
            const int is_lost = is_low(a, r, h);
            for (int64_t k = 0; k < a->head_dim && is_lost; k++)
                out[k] = 0;
        }
    return status;
}
