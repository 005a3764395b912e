/* The maximum of a row starts at -30000, as if scores were f16: lower scores get weights of zero. */
#include "museum_kit.h"

static int is_low(const ifn_attention_args *a, const float *q, const float *keys, int64_t n)
{
    for (int64_t t = 0; t < n; t++) {
        float score = 0;
        for (int64_t k = 0; k < a->head_dim; k++)
            score += q[k] * keys[t * a->head_dim + k];
        if (!(score * a->scale < -30000.0f - 104.0f)) /* of which the exponential is 0 */
            return 0;
    }
    return 1;
}

ifn_status museum_maximum_from_minus_30000(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_lost(self->base, a, is_low);
}
